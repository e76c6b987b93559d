// Runs in the page, before its own scripts. The tests call these functions.
globalThis.inPage = {
  /**
   * Types a code as a wedge scanner does, also into the field that has the focus. Keys from outside the page would be too
   * slow on a loaded machine. As with a scanner, the time of each key is when it was pressed, not when the page got to it.
   */
  scan(code) {
    const events = [...code, 'Enter'].map(
      (key) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
    for (const event of events) {
      const isAllowed = (document.activeElement ?? document.body).dispatchEvent(event);
      if (isAllowed && event.key.length === 1) document.execCommand('insertText', false, event.key);
    }
  },

  /**
   * Holds back the responses to requests whose path has this ending, until `releaseResponses` is called. Requests in a
   * page with a service worker cannot always be held from outside.
   */
  holdResponses(ending) {
    const { fetch } = globalThis;
    const { promise: isReleased, resolve } = Promise.withResolvers();
    const held = [];
    const first = Promise.withResolvers();
    /** Resolves when the first of them has arrived. */
    this.firstHeld = first.promise;
    globalThis.fetch = (input, init) => {
      const response = fetch(input, init);
      if (!new URL(input.url ?? input, location.href).pathname.endsWith(ending)) return response;
      held.push(response);
      response.then(
        () => first.resolve(),
        () => first.resolve(),
      );
      return isReleased.then(() => response);
    };
    /** Returns how many responses the page receives now. */
    this.releaseResponses = async () => {
      await Promise.all(held);
      resolve();
      return held.length;
    };
  },

  /** Controls that are too small, outside the screen, or covered by something else. */
  findTapProblems() {
    const root = document.querySelector('dialog[open]') ?? document.body;
    const controls = [...root.querySelectorAll('button, a, select, input')];
    const problems = controls.flatMap((control) => {
      control.scrollIntoView({ block: 'center', behavior: 'instant' });
      const target = control.type === 'checkbox' ? control.closest('label') : control;
      const { left, right, top, bottom, width, height } = target.getBoundingClientRect();
      const label = control.getAttribute('aria-label') ?? control.textContent;
      if (width < 48 || height < 48) return [`${label} is ${width} × ${height}`];
      if (control.tagName === 'BUTTON' && control.scrollWidth > control.clientWidth + 1)
        return [`the text of ${label} does not fit`];
      if (left < 0 || right > document.documentElement.clientWidth) return [`${label} is outside: ${left} to ${right}`];
      const points = [
        [(left + right) / 2, (top + bottom) / 2],
        [left + 8, top + 8],
        [right - 8, bottom - 8],
      ];
      const isHit = points.every(([x, y]) => target.contains(document.elementFromPoint(x, y)));
      return isHit ? [] : [`${label} is covered`];
    });
    return { count: controls.length, problems, pageWidth: document.documentElement.scrollWidth };
  },

  /** Replaces the camera with a picture of an EAN-13, and removes the browser's own reader. */
  showToCamera(code) {
    Reflect.deleteProperty(globalThis, 'BarcodeDetector');
    const bars = barsOf(code);
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 360];
    const context = canvas.getContext('2d');
    const draw = () => {
      context.fillStyle = '#fff';
      context.fillRect(0, 0, 640, 360);
      context.fillStyle = '#000';
      for (const [index, bit] of [...bars].entries()) if (bit === '1') context.fillRect(80 + index * 5, 60, 5, 220);
    };
    navigator.mediaDevices.getUserMedia = async () => {
      setInterval(draw, 50);
      return canvas.captureStream(10);
    };
  },
};

/** The bars of an EAN-13, as in its specification: 1 is black. */
function barsOf([first, ...digits]) {
  const patterns = '0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011'.split(' ');
  const parities = 'LLLLLL LLGLGG LLGGLG LLGGGL LGLLGG LGGLLG LGGGLL LGLGLG LGLGGL LGGLGL'.split(' ');
  const invert = (bits) => [...bits].map((bit) => (bit === '0' ? '1' : '0')).join('');
  const kinds = `${parities[first]}RRRRRR`;
  const bits = digits.map((digit, index) => {
    const pattern = patterns[digit];
    if (kinds[index] === 'L') return pattern;
    return kinds[index] === 'R' ? invert(pattern) : [...invert(pattern)].toReversed().join('');
  });
  return `101${bits.slice(0, 6).join('')}01010${bits.slice(6).join('')}101`;
}
