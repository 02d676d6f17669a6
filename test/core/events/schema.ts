import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { RollEvent } from '../../../lambda/core/model/roll-event.ts';

const FILE = new URL('../../../docs/events.schema.json', import.meta.url);

/** The schema's formats, as far as it names any. */
const formats = { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ };
const isValid = new Ajv2020({ allErrors: true, formats }).compile(JSON.parse(readFileSync(FILE, 'utf8')));

/** Holds an event to the schema that its readers have, as it travels. */
export function expectValid(event: RollEvent): void {
  isValid(JSON.parse(JSON.stringify(event)));
  expect(isValid.errors).toBeNull();
}
