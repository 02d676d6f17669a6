import type { Mutation } from '../mutation.ts';

/** What a hook of the owner's has its say in. */
export const RULES_OF_ASKING: readonly Mutation[] = [
  {
    rule: 'a go is for the step that it was given for',
    harm: 'A go for one batch lets all the others pass.',
    find: '    note.key === key &&\n',
    replace: '',
  },
  {
    rule: 'a go is void after a while',
    harm: 'A roll that was paused for a day goes on with what its hook said before.',
    find: '&&\n    !isOver(note.askedAt, goSeconds, now)',
    replace: '',
  },
  {
    rule: 'an answer that makes no sense holds',
    harm: 'A hook that is broken lets every roll pass.',
    find: "return { answer: 'hold', says: `it answered neither",
    replace: "return { answer: 'go', says: `it answered neither",
  },
  {
    rule: "a hook that can't be asked holds",
    harm: 'A roll passes because AWS throttles a call.',
    find: "return { answer: 'hold', says: `it could not be asked",
    replace: "return { answer: 'go', says: `it could not be asked",
  },
  {
    rule: 'an answer is noted only if nobody has noted another meanwhile',
    harm: 'A late go of one invocation overwrites what another was told since.',
    find: ' || !isDeepStrictEqual(noted, before))',
    replace: ')',
  },
  {
    rule: 'who approves says what',
    harm: 'Who approves one batch lets another pass that was asked about meanwhile.',
    find: ' || roll.hook.key !== question)',
    replace: ')',
  },
  {
    rule: 'an answer is for the group that it names',
    harm: 'Who approves one group lets another go on, whose tags a stranger has copied.',
    find: '  if (answers?.group !== name) return undefined;\n  const { question } = answers;',
    replace: "  const { question } = answers ?? { question: '' };",
  },
  {
    rule: 'a question is of one group and one roll',
    harm: 'Two groups that ask at the same moment share a question, and one approval lets both go on.',
    find: 'digest([group.uuid, group.roll.startedAt.toISOString(), stage, ...imagesTo(assessment), ...about])',
    replace: 'digest([...imagesTo(assessment), ...about])',
  },
  {
    rule: 'an answer is to what was asked before it',
    harm: 'A refusal, watched for half a minute, refuses again what its resume has had asked anew.',
    find: '  if (orderedAt !== undefined && roll.hook.since > orderedAt) return undefined;\n',
    replace: '',
  },
  {
    rule: 'people who say nothing have not approved',
    harm: 'A roll passes because nobody reads mail.',
    find: "return { answer: 'asked' };",
    replace: "return { answer: 'go' };",
  },
  {
    rule: 'people are asked once',
    harm: 'They get the same mail each minute, and read none of it.',
    find: 'awaitsPeople(gate.hook, note) ? isOther && isAgain : isOther || isAgain',
    replace: 'isOther || isAgain',
  },
  {
    rule: 'what an earlier roll has sealed counts for no other',
    harm: 'Who may tag a group puts its last trial back, and a bad image goes everywhere unseen.',
    find: 'each.begun === undefined || isCurrent(each.begun)',
    replace: 'each.begun !== 0',
  },
  {
    rule: 'what a hook says is cut before it is looked at',
    harm: 'A megabyte of blanks keeps every group waiting for the invocation to die.',
    find: 'text.slice(0, MOST_CHARACTERS).replace(',
    replace: 'text.replace(',
  },
  {
    rule: 'a refused trial has failed',
    harm: 'The bad image stays on the first batch until somebody looks.',
    find: "...(stage === 'trial-passed' && { failing: true }),",
    replace: '',
  },
];
