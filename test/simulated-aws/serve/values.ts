import { InvalidArgumentError } from 'commander';

/** Parsers of option values for commander; the error says what is allowed. */
export const wholeNumber = (least: number, most: number) =>
  parser(`a whole number from ${least} to ${most}`, (text) =>
    /^\d+$/.test(text) ? within(least, most, Number(text)) : undefined,
  );

export const anyNumber = (least: number, most: number) =>
  parser(`a number from ${least} to ${most}`, (text) =>
    /^\d+(\.\d+)?$/.test(text) ? within(least, most, Number(text)) : undefined,
  );

export const pattern = (may: string, allowed: RegExp) =>
  parser(may, (text) => (allowed.test(text) ? text : undefined));

/** @param may what the value may be, for the message */
export function parser<Value>(
  may: string,
  parse: (text: string) => Value | undefined,
): (text: string) => Value {
  return (text) => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(`It may be ${may}.`);
    return value;
  };
}

function within(least: number, most: number, value: number): number | undefined {
  return value >= least && value <= most ? value : undefined;
}
