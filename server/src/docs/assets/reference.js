// Shows the OpenAPI document of one API, in the colors of the other pages.
const place = document.getElementById('api');
const configuration = () => ({
  url: `/openapi/${place.dataset.api}.json`,
  theme: 'none',
  darkMode: document.documentElement.dataset.scheme === 'dark',
  forceDarkModeState: document.documentElement.dataset.scheme,
  hideDarkModeToggle: true,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'token' },
});
const reference = window.Scalar.createApiReference(place, configuration());
document.addEventListener('scheme', () => reference.updateConfiguration(configuration()));
