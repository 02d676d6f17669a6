/** Markup that is safe to put into a page. Only `html` and `joined` make it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Markup with values in it: names and sentences come from strangers, so each is escaped unless it is markup
 * itself.
 */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Markup)[]): Markup {
  const texts = values.map((value) => (value instanceof Markup ? value.text : escaped(String(value))));
  return new Markup(parts.reduce((before, part, index) => `${before}${texts[index - 1] ?? ''}${part}`));
}

/** One after the other. */
export function joined(all: readonly Markup[]): Markup {
  return new Markup(all.map(({ text }) => text).join(''));
}

function escaped(text: string): string {
  // Control characters are no characters of HTML; what turns the direction of a text hides what a name is.
  const shown = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').replaceAll(/\p{Bidi_Control}/gu, '\ufffd');
  return shown.replaceAll(/[&<>"']/g, (each) => ESCAPES[each] ?? '');
}
