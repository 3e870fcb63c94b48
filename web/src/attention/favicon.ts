/** The icon of the page with the count on it, so that a tab among many tells. */

// The colours of public/favicon.svg, and the dark theme's warning: an icon stands on the browser's ground, not on ours.
const ICON =
  '<rect width="32" height="32" rx="7" fill="#15191f"/>' +
  '<path d="m8 10 7 6-7 6" fill="none" stroke="#5aa5ff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>' +
  '<path d="M17 22h8" stroke="#b794ff" stroke-width="3" stroke-linecap="round"/>';

export const PLAIN = '/favicon.svg';

export function favicon(count: number): string {
  if (count === 0) return PLAIN;
  const text = count > 9 ? '9+' : String(count);
  const badge =
    '<circle cx="21" cy="11" r="11" fill="#f0b34a"/>' +
    `<text x="21" y="17" font-family="system-ui,sans-serif" font-size="${text.length > 1 ? 14 : 17}" font-weight="700" text-anchor="middle" fill="#0f1216">${text}</text>`;
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${ICON}${badge}</svg>`)}`;
}
