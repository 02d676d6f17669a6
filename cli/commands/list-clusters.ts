import { listClusters } from '../aws/clusters.ts';
import { findFunction } from '../deployed.ts';
import { table } from '../layout.ts';
import { isCredentials, rolledBy } from '../read.ts';
import { Complaint, EXIT, type Exit, type Options, type Terminal } from '../session.ts';
import { json, oneLine } from '../text.ts';

/** The clusters of this Region, and which of them the function rolls. */
export async function listAll(options: Options, terminal: Terminal): Promise<Exit> {
  const clusters = await terminal.waiting('reading clusters', listClusters);
  const rolled = await rolledClusters(options, terminal);
  const listed = clusters.map((each) => ({ ...each, ...(rolled && { rolled: rolled.has(each.cluster) }) }));
  const rows = listed.map((each) => [
    each.cluster,
    each.status,
    String(each.containerInstances),
    String(each.services),
    String(each.runningTasks),
    each.rolled === undefined ? '-' : each.rolled ? 'yes' : 'no',
  ]);
  const head = ['CLUSTER', 'STATUS', 'INSTANCES', 'SERVICES', 'TASKS', 'ROLLED'];
  if (options.json) terminal.out(json(listed));
  else terminal.out(rows.length > 0 ? table(terminal, head, rows) : 'There is no cluster in this Region.');
  return EXIT.done;
}

/** Undefined if no function can be asked. */
async function rolledClusters(options: Options, terminal: Terminal): Promise<Set<string> | undefined> {
  try {
    const found = await findFunction(options);
    return new Set(found === undefined ? [] : rolledBy(found));
  } catch (error) {
    if (error instanceof Complaint || isCredentials(error) || !(error instanceof Error)) throw error;
    terminal.note(
      `Which of them are rolled isn't known, as the function can't be looked for: ${oneLine(error.message)}`,
    );
    return undefined;
  }
}
