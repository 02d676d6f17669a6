import { html, joined } from './markup.ts';
import type { RollPicture } from './model.ts';
import { pictureOf } from './picture.ts';

/** A whole page of HTML with pictures of rolls, which needs nothing else: no script, no font, no address. */
export function pageOf(title: string, pictures: readonly RollPicture[]): string {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body{margin:0 auto;max-width:70rem}@media(prefers-color-scheme:dark){html{background:#161d26}}</style>
</head>
<body>
${joined(pictures.map((each) => pictureOf(each)))}</body>
</html>
`;
  return text;
}
