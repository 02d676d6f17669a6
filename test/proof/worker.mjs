// A thread doesn't inherit what lets Node.js load TypeScript.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
