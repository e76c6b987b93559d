// Runs inside the page, so that measurements start at the click.
(() => {
  const frames = (isDone, started) =>
    new Promise((resolve, reject) => {
      const check = () => {
        if (performance.now() - started > 60_000) reject(new Error('The page has not changed as expected.'));
        // Waits for one more frame, in which the change is painted.
        else requestAnimationFrame(isDone() ? () => resolve(performance.now() - started) : check);
      };
      requestAnimationFrame(check);
    });

  const find = (selector) => {
    const element = document.querySelector(selector);
    if (!element) throw new Error(`No element matches ${selector}.`);
    return element;
  };

  const pathOf = (address) => new URL(address).pathname.replace(/\/$/, '');

  /** Measures the time until different rows are painted. */
  const untilChanged = (row, act) => {
    const textOf = () => document.querySelector(row)?.innerText ?? '';
    const before = textOf();
    const started = performance.now();
    act();
    return frames(() => textOf() !== before, started);
  };

  globalThis.bench = {
    /** Measures the time from a click in the navigation until the element is present and all placeholders are gone. */
    open(path, target, placeholder) {
      const link = [...document.querySelectorAll('nav a')].find((one) => pathOf(one.href) === path);
      if (!link) throw new Error(`The navigation has no link to ${path}.`);
      const started = performance.now();
      link.click();
      return frames(() => document.querySelector(target) && !document.querySelector(placeholder), started);
    },

    click: (row, selector) => untilChanged(row, () => find(selector).click()),

    goToPage(row, which) {
      const buttons = [...document.querySelectorAll('main button')];
      const numbers = buttons.filter((button) => /^\d+$/.test(button.textContent));
      const next = buttons.find((button) => button.getAttribute('aria-label') === 'next page');
      return untilChanged(row, () => ({ first: numbers[0], next, last: numbers.at(-1) })[which].click());
    },

    search: (row, term) =>
      untilChanged(row, () => {
        const input = find('main input[type="search"]');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, term);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }),

    /** Scrolls to the end of the page in small steps. */
    async scroll() {
      let longestTask = 0;
      const observer = new PerformanceObserver((entries) => {
        for (const { duration } of entries.getEntries()) longestTask = Math.max(longestTask, duration);
      });
      observer.observe({ type: 'longtask' });
      let longestFrame = 0;
      await new Promise((resolve) => {
        let last = performance.now();
        const step = () => {
          const now = performance.now();
          longestFrame = Math.max(longestFrame, now - last);
          last = now;
          const before = scrollY;
          scrollBy(0, 200);
          if (scrollY === before) resolve();
          else requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      });
      observer.disconnect();
      return { longestFrame, longestTask, rows: document.querySelectorAll('main tbody tr').length };
    },
  };
})();
