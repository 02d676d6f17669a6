/** An error as the SDK throws it for a refusal of AWS: its name is the code. */
export function refusal(code: string, message = code): Error {
  return Object.assign(new Error(message), {
    name: code,
    $fault: 'client',
    $metadata: { httpStatusCode: 400 },
  });
}
