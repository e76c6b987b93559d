// Renders the reference for one API from its OpenAPI document, in the same colors as the other pages.
const place = document.getElementById('api');
const configuration = () => ({
  url: `/openapi/${place.dataset.api}.json`,
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
  authentication: { preferredSecurityScheme: 'token' },
});
const reference = window.Scalar.createApiReference(place, configuration());
document.addEventListener('scheme', () => reference.updateConfiguration(configuration()));
