// Renders the reference for one API from its OpenAPI document, in the same colors as the other pages. For a user who is
// signed in to the portal, requests are prefilled with the user's chain, selected store and a short-lived token.
const place = document.getElementById('api');
const read = async (path, options) => {
  const response = await fetch(path, options);
  return response.ok ? response.json() : undefined;
};
const url = `/openapi/${place.dataset.api}.json`;
let credential;

const createToken = () => read('/v2/portal/session/token', { method: 'POST' });
const bearer = () => `Bearer ${credential.token}`;

/** The portal sets this key while there might be a session, and stores the selected store. */
async function findUser() {
  try {
    if (place.dataset.api !== 'partner' || localStorage.getItem('aisle-signed-in') === null) return undefined;
  } catch {
    return undefined; // If storage is unavailable, the portal does not work either.
  }
  const session = await read('/v2/portal/session');
  if (!session || session.must_change_password || session.must_set_up_second_factor) return undefined;
  const isPicker = session.user.role === 'PICKER';
  const list = isPicker ? undefined : await read(`/v2/chains/${session.chain.chain_id}/vendors?page_size=500`);
  const stores = list?.vendors ?? session.user.vendor_ids?.map((vendor_id) => ({ vendor_id, name: vendor_id })) ?? [];
  const selected = localStorage.getItem('aisle-store');
  return { ...session, store: stores.find(({ vendor_id }) => vendor_id === selected) ?? stores[0] };
}

/** The OpenAPI document with the user's chain and store in the path parameters and examples. */
async function readPrefilled({ chain, store }) {
  const own = { chain_id: chain.chain_id, ...(store && { vendor_id: store.vendor_id }) };
  const text = await (await fetch(url)).text();
  const content = JSON.parse(text, (key, value) => (typeof value === 'string' ? (own[key] ?? value) : value));
  for (const parameter of Object.values(content.components.parameters)) {
    if (parameter.in === 'path' && own[parameter.name]) parameter.example = own[parameter.name];
  }
  return content;
}

/** A page can stay open for longer than the token is valid, so an old one is replaced when a request is sent. */
async function renewToken({ request }) {
  if (!credential || request.headers.get('authorization') !== bearer()) return;
  if (Date.parse(credential.expires_at) - Date.now() < 60_000) credential = (await createToken()) ?? credential;
  request.headers.set('authorization', bearer());
}

const configuration = (content) => ({
  ...(content ? { content } : { url }),
  theme: 'none',
  darkMode: document.documentElement.dataset.scheme === 'dark',
  forceDarkModeState: document.documentElement.dataset.scheme,
  hideDarkModeToggle: true,
  generateOperationSlug: ({ operationId }) => operationId,
  withDefaultFonts: false,
  telemetry: false,
  hideSearch: true, // our own search covers the routes
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  onRequestBuilt: renewToken,
  authentication: {
    preferredSecurityScheme: 'token',
    ...(credential && { securitySchemes: { token: { token: credential.token } } }),
  },
});

function setScheme() {
  const isDark = document.documentElement.dataset.scheme === 'dark';
  document.body.classList.toggle('dark-mode', isDark);
  document.body.classList.toggle('light-mode', !isDark);
}

/** Fixes what the reference lacks for keyboards and screen readers. It renders its sections while the user scrolls. */
function makeAccessible() {
  // The header above the reference on small screens, which would be a second banner of the page.
  for (const header of place.querySelectorAll('header:not([role])')) {
    header.setAttribute('role', 'group');
    header.parentElement.setAttribute('role', 'region');
    header.parentElement.setAttribute('aria-label', 'Current section');
  }
  for (const button of place.querySelectorAll('button[class*="copy-button"]:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
  for (const list of place.querySelectorAll('.endpoints:not([tabindex])')) list.tabIndex = 0;
  for (const button of place.querySelectorAll('.show-more[aria-label^="Show all"]')) {
    button.setAttribute('aria-label', button.ariaLabel.replace('Show all', button.textContent.trim()));
  }
}

async function show() {
  const user = await findUser();
  credential = user && (await createToken());
  const content = credential && (await readPrefilled(user));
  window.Scalar.createApiReference(place, configuration(content));
  // The reference keeps the scheme that it started with, and sets it again when that of the system changes.
  document.addEventListener('scheme', () => setTimeout(setScheme));
  let isPlanned = false;
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      makeAccessible();
    }, 100);
  };
  new MutationObserver(plan).observe(place, { childList: true, subtree: true });
  if (!content) return;
  const store = user.store ? `, the store ${user.store.name}` : '';
  document.getElementById('prefilled').textContent =
    `Signed in as ${user.user.name}. Requests are prefilled with ${user.chain.name}${store} and a token that is valid for 15 minutes.`;
}

void show();
