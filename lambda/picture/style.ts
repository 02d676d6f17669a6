/** Which colours the picture has: the reader's own choice, or the theme of the page around it. */
export type Theme = 'auto' | 'light' | 'dark';

const LIGHT =
  '--ink:#16191f;--faint:#5f6b7a;--line:#d5dbdb;--paper:#fff;' +
  '--launched:#b6bec9;--registered:#7aa7e9;--serving:#1d8a5b;--old:#5a6b86;--draining:#e0912f;--trouble:#c42a21';
const DARK =
  '--ink:#e6e9ee;--faint:#9aa5b4;--line:#3a4554;--paper:#161d26;' +
  '--launched:#5b6675;--registered:#5b8fd9;--serving:#38b07a;--old:#8796b0;--draining:#f0a54a;--trouble:#ff7a6e';

const COLORS: Readonly<Record<Theme, string>> = {
  auto: `.ead{${LIGHT}}@media(prefers-color-scheme:dark){.ead{${DARK}}}`,
  light: `.ead{${LIGHT}}`,
  dark: `.ead{${DARK}}`,
};

const RULES =
  '.ead{color:var(--ink);background:var(--paper);font:14px/1.45 system-ui,sans-serif;padding:1rem;overflow-wrap:anywhere}' +
  '.ead h2{font-size:1.15rem;margin:0 0 .5rem;font-weight:600}' +
  '.ead h3{font-size:.8rem;margin:1.1rem 0 .3rem;font-weight:600;color:var(--faint)}' +
  '.ead dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .9rem;margin:0}' +
  '.ead dt{color:var(--faint)}.ead dd{margin:0}' +
  '.ead .waits{margin:.8rem 0 0;padding:.4rem .7rem;border-left:3px solid var(--draining)}' +
  '.ead .rows{display:grid;grid-template-columns:7.5rem minmax(0,1fr);column-gap:.7rem;align-items:center;position:relative}' +
  '.ead .rows svg{display:block;width:100%;overflow:visible}' +
  '.ead .rows .over{position:absolute;top:0;left:0;height:calc(100% - 1.2rem);grid-column:2;pointer-events:none}' +
  '.ead .name{font-size:.8rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}' +
  '.ead .note{grid-column:2;font-size:.75rem;color:var(--faint);margin-bottom:.35rem}' +
  '.ead .axis{grid-column:2;position:relative;height:1.2rem;font-size:.72rem;color:var(--faint)}' +
  '.ead .axis span{position:absolute;transform:translateX(-50%);white-space:nowrap}' +
  '.ead .axis span:first-child{transform:none}.ead .axis span.last{transform:translateX(-100%)}' +
  '.ead .legend{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.6rem 0 0;padding:0;list-style:none;font-size:.78rem}' +
  '.ead .legend i{display:inline-block;width:.8rem;height:.8rem;margin-right:.35rem;border-radius:2px;vertical-align:-.1rem}' +
  '.ead .moments{margin:.4rem 0 0;padding:0;list-style:none;font-size:.78rem}' +
  '.ead .moments b{font-weight:600;margin-right:.5rem}.ead .trouble b{color:var(--trouble)}' +
  '@media(max-width:540px){.ead{padding:.6rem}.ead .rows{grid-template-columns:6.4rem minmax(0,1fr)}}';

/** The style of the picture, and of nothing else on the page. */
export function styleOf(theme: Theme): string {
  return COLORS[theme] + RULES;
}
