import { type ChangeOptions, Complaint, type Terminal } from './session.ts';

/** @throws Complaint if the answer is no, or nobody can answer */
export async function confirm(question: string, { yes }: ChangeOptions, terminal: Terminal): Promise<void> {
  if (yes) return;
  if (!terminal.canAsk) throw new Complaint(`Nobody can be asked here: "${question}" Add --yes.`);
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Complaint('Nothing was changed.');
}
