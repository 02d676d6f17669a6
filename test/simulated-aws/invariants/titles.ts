/** The invariants of `watchInvariants` by their numbers, in short. */
export const TITLES: Readonly<Record<number, string>> = {
  1: 'services and target groups keep what they need to be healthy',
  2: 'no task is cut off, stopped or orphaned',
  3: 'only outdated instances go, and nothing of anybody else is touched',
  4: 'the group keeps its capacity, within the surge',
  5: 'at the end all run the new image, and all else is as before',
  6: 'a roller gets on, waits for something it names or tells why it cannot',
  7: 'nothing is done that neither the roll nor the history of the account explains',
};
