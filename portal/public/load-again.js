// During an upgrade, processes of two versions serve requests, and a page of one version can ask a process of the other
// one for its files. The page would stay empty, so it is loaded again. This is a separate file, like color-scheme.js, and
// has the same name in all versions.
(() => {
  const key = 'aisle-loaded-again';
  const maxTimes = 10;
  const perMs = 5 * 60_000;
  let isPlanned = false;
  const loadAgain = () => {
    const isShown = document.getElementById('root')?.hasChildNodes() ?? false;
    if (isShown || isPlanned || !count()) return;
    isPlanned = true;
    setTimeout(() => location.reload(), 1000);
  };
  /** Returns false if the page has been loaded again too often, so that it does not do so for ever. */
  const count = () => {
    try {
      const [times, since] = JSON.parse(sessionStorage.getItem(key) ?? '[0, 0]');
      const isOld = Date.now() - since > perMs;
      if (!isOld && times >= maxTimes) return false;
      sessionStorage.setItem(key, JSON.stringify(isOld ? [1, Date.now()] : [times + 1, since]));
      return true;
    } catch {
      return false;
    }
  };
  const isFile = (element) => /\/portal\/assets\//.test(element?.src ?? element?.href ?? '');
  // An element that cannot be loaded has an event that does not bubble.
  addEventListener('error', ({ target }) => isFile(target) && loadAgain(), { capture: true });
  addEventListener('vite:preloadError', loadAgain);
})();
