// Runs on every page: navigation on small screens, color scheme, copy buttons, table of contents and search.
const byId = (id) => document.getElementById(id);

const menu = byId('menu');
function showMenu(isOpen) {
  document.body.classList.toggle('menu-open', isOpen);
  menu.setAttribute('aria-expanded', String(isOpen));
}
menu.addEventListener('click', () => showMenu(menu.getAttribute('aria-expanded') === 'false'));
document.addEventListener('click', (event) => {
  if (!event.target.closest?.('#navigation, #menu')) showMenu(false);
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') showMenu(false);
});
// In a wide window, the navigation has a column of its own.
matchMedia('(min-width: 56.01rem)').addEventListener('change', ({ matches }) => {
  if (matches) showMenu(false);
});

byId('scheme').addEventListener('click', () => {
  const root = document.documentElement;
  root.dataset.scheme = root.dataset.scheme === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem('mantine-color-scheme-value', root.dataset.scheme);
  } catch {
    // If storage is unavailable, the choice applies only to this page.
  }
  document.dispatchEvent(new Event('scheme'));
});

for (const head of document.querySelectorAll('.code-head')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(head.parentElement.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  head.append(button);
}

// Highlights the current section in the table of contents: the one whose heading is near the top of the window.
const links = new Map(Array.from(document.querySelectorAll('.page-contents a'), (link) => [link.hash.slice(1), link]));
const observer = new IntersectionObserver(
  (entries) => {
    const seen = entries.find((entry) => entry.isIntersecting);
    if (!seen) return;
    for (const [id, link] of links) link.toggleAttribute('data-current', id === seen.target.id);
  },
  { rootMargin: '-56px 0px -70% 0px' },
);
for (const id of links.keys()) observer.observe(byId(decodeURIComponent(id)));

// The API reference used to be at /docs. Old links to its sections still work.
if (location.pathname === '/docs' && /^#(partner|platform|tag|model|description)\b/.test(location.hash)) {
  const [, api] = /^#(platform)\//.exec(location.hash) ?? [];
  location.replace(`/docs/reference${api ? '/platform' : ''}${location.hash.replace(/^#(partner|platform)\//, '#')}`);
}

const dialog = byId('search');
const query = byId('query');
const results = byId('search-results');
const status = byId('search-status');
let index;

async function openSearch() {
  if (dialog.open) return;
  dialog.showModal();
  query.select();
  index ??= (await (await fetch('/docs/search.json')).json()).map((entry) => ({
    ...entry,
    headingWords: entry.heading.toLowerCase(),
    words: `${entry.page} ${entry.heading} ${entry.text}`.toLowerCase(),
  }));
  showResults();
}

function showResults() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 || !index ? [] : findEntries(words);
  results.replaceChildren(...found.slice(0, 20).map((entry) => resultItem(entry, words)));
  const count = found.length === 1 ? '1 result' : `${found.length} results`;
  status.textContent =
    words.length === 0
      ? 'Type to search. Use the arrow keys to choose a result.'
      : found.length === 0
        ? 'No results.'
        : count;
}

/** Entries that contain all of the words. Those with the most words in their heading come first. */
function findEntries(words) {
  const scored = index
    .filter((entry) => words.every((word) => entry.words.includes(word)))
    .map((entry) => ({ entry, score: words.filter((word) => entry.headingWords.includes(word)).length }));
  return scored.toSorted((a, b) => b.score - a.score).map(({ entry }) => entry);
}

function resultItem(entry, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = entry.url;
  const heading = document.createElement('strong');
  heading.append(...mark(entry.heading, words));
  const page = document.createElement('small');
  page.textContent = entry.page;
  const text = document.createElement('span');
  text.append(...mark(excerpt(entry.text, words), words));
  link.append(heading, page, text);
  link.addEventListener('click', () => dialog.close());
  item.append(link);
  return item;
}

/** The part of the text around a match, without parts of words at its ends. */
function excerpt(text, words) {
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)));
  const start = at <= 50 ? 0 : text.lastIndexOf(' ', at - 50) + 1;
  if (text.length <= start + 160) return `${start > 0 ? '…' : ''}${text.slice(start)}`;
  const end = Math.max(text.lastIndexOf(' ', start + 160), at + 1);
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}…`;
}

function mark(text, words) {
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi');
  return text.split(pattern).map((part, position) => {
    if (position % 2 === 0) return part;
    const marked = document.createElement('mark');
    marked.textContent = part;
    return marked;
  });
}

byId('search-button').addEventListener('click', openSearch);
query.addEventListener('input', showResults);
query.form.addEventListener('submit', (event) => {
  if (event.submitter && document.activeElement !== query) return;
  event.preventDefault();
  results.querySelector('a')?.click();
});
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
});
dialog.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') dialog.close(); // By default, the first Escape only clears the input.
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const stops = [query, ...results.querySelectorAll('a')];
  stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable="true"]');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  void openSearch();
});
