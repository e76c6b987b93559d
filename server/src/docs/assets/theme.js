// Runs before the first paint, so that dark mode does not flash. The choice is shared with the portal.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const read = () => {
    try {
      return localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
    } catch {
      return 'auto'; // If storage is unavailable, the system setting applies.
    }
  };
  const apply = () => {
    const chosen = read();
    const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches);
    document.documentElement.dataset.scheme = isDark ? 'dark' : 'light';
    document.dispatchEvent(new Event('scheme'));
  };
  apply();
  system.addEventListener('change', apply);
  addEventListener('storage', apply);
})();
