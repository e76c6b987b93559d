// Runs before the first paint, so that the page does not flash white in dark mode. It is a separate file because the
// content security policy forbids inline scripts.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    let chosen = 'auto';
    try {
      chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
    } catch {
      // If storage is not available, the system setting applies.
    }
    const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches);
    document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
  };
  apply();
  // A phone turns dark in the evening while the page is open.
  system.addEventListener('change', apply);
})();
