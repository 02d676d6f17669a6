import { gunzipSync } from 'node:zlib';

/**
 * What an instance finds of its user data: decoded, and uncompressed as cloud-init and Bottlerocket do it
 * themselves.
 */
export function textOf(userData: string | undefined): string {
  const bytes = Buffer.from(userData ?? '', 'base64');
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isGzip ? gunzipSync(bytes) : bytes).toString();
}

/**
 * By how it begins: anything else cloud-init leaves alone.
 * https://docs.cloud-init.io/en/latest/explanation/format.html
 */
const HEEDED = /^(#!|#cloud-config|#cloud-boothook|## template:|#include|#part-handler)/;

const MULTIPART = /^(mime-version:|content-type:\s*multipart\/)/i;

/**
 * What cloud-init runs or follows, in the order given: a script or a cloud-config, or the parts of a MIME
 * multipart text. https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/user-data.html
 */
export function heededParts(text: string): string[] {
  if (!MULTIPART.test(text)) return HEEDED.test(text) ? [text] : [];
  const [, boundary = ''] = /boundary="?([^"\s;]+)/i.exec(text) ?? [];
  return text.split(`--${boundary}`).slice(1, -1).map(contentOf);
}

function contentOf(part: string): string {
  const [headers = '', ...paragraphs] = part.trimStart().split(/\r?\n\r?\n/);
  const content = paragraphs.join('\n\n');
  const isBase64 = /^content-transfer-encoding:\s*base64/im.test(headers);
  return isBase64 ? Buffer.from(content, 'base64').toString() : content;
}
