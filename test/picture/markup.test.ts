import { expect, test } from 'vitest';
import { html, joined } from '../../lambda/picture/markup.ts';

test('whatever is put into markup is escaped', () => {
  const name = `<script>alert("it's" & more)</script>`;
  expect(html`<b title="${name}">${name}</b>`.text).toBe(
    '<b title="&lt;script&gt;alert(&quot;it&#39;s&quot; &amp; more)&lt;/script&gt;">' +
      '&lt;script&gt;alert(&quot;it&#39;s&quot; &amp; more)&lt;/script&gt;</b>',
  );
});

test('markup within markup is not escaped again', () => {
  const items = joined([html`<i>${'a&b'}</i>`, html`<i>${2}</i>`]);
  expect(html`<p>${items}</p>`.text).toBe('<p><i>a&amp;b</i><i>2</i></p>');
});

test('control characters hide nothing', () => {
  expect(html`${'a\u0000b\u001b[31m'}`.text).toBe('a b [31m');
});

test('no text turns the direction of what it says, and that it would is seen', () => {
  for (const sign of '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
    expect(html`<b title="${`gpj.${sign}exe`}">${sign}</b>`.text).toBe('<b title="gpj.\ufffdexe">\ufffd</b>');
  expect(html`${'a\u2028b\u2029c'}`.text).toBe('a b c');
});
