const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for HTML and for quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

/** The pages' stylesheet; it comes by its own address, so that no inline style is needed. */
export const STYLESHEET = `:root{color-scheme:light dark;--bg:#fff;--fg:#1c1e24;--muted:#5a6070;--line:#c6cad4;--accent:#1f5fbf;--on-accent:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--bg:#16181d;--fg:#eceef3;--muted:#a9b0bf;--line:#4a5060;--accent:#8ab4ff;--on-accent:#10131a;--bad:#ffb4ab}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:1rem/1.5 system-ui,sans-serif}
main{max-width:30rem;margin:0 auto;padding:2rem 1rem}h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}.note,.muted{color:var(--muted)}
.price{font-size:1.6rem;font-weight:600}.error{border:1px solid var(--bad);color:var(--bad);padding:.75rem;border-radius:.5rem}
fieldset{border:1px solid var(--line);border-radius:.5rem;margin:1rem 0;padding:.5rem 1rem}label{display:flex;gap:.6rem;align-items:center;min-height:2.75rem}
button,.button{display:inline-flex;align-items:center;min-height:2.75rem;padding:.4rem 1.1rem;border:1px solid var(--accent);border-radius:.5rem;background:var(--accent);color:var(--on-accent);font:inherit;text-decoration:none;cursor:pointer}
button.plain,.button.plain{background:transparent;color:var(--accent)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
ul{list-style:none;padding:0}li{display:flex;justify-content:space-between;align-items:center;gap:1rem;padding:.4rem 0;border-bottom:1px solid var(--line)}.row{display:flex;gap:.75rem;flex-wrap:wrap}`;

/** A whole page; `body` is HTML. */
export function page(title: string, stylesheet: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escaped(title)}</title><link rel="stylesheet" href="${escaped(stylesheet)}"></head>
<body><main><p class="note">Local payment processor: no money moves.</p><h1>${escaped(title)}</h1>${body}</main></body></html>`;
}

/** 1999, usd → 19.99 USD. */
export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() }).format(amount / 100);
}

/** The choice of a card; the first one is chosen. */
export function cardChoice(): string {
  const cards = [['visa', 'Visa ending in 4242'], ['mastercard', 'Mastercard ending in 4444'], ['declined', 'Visa ending in 0341 (is declined)']] as const;
  return `<fieldset><legend>Card</legend>${cards.map(([value, text], index) => `<label><input type="radio" name="card" value="${value}"${index === 0 ? ' checked' : ''}>${text}</label>`).join('')}</fieldset>`;
}
