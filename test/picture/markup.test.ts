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
