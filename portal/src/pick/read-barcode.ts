/** Reads a barcode from a video frame: with the browser's own reader, otherwise with WebAssembly. */
export type ReadBarcode = (video: HTMLVideoElement) => Promise<string | undefined>;

export async function createReader(): Promise<ReadBarcode> {
  return (await createNativeReader()) ?? createWasmReader();
}

type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> };
type DetectorClass = { new (options: { formats: string[] }): Detector; getSupportedFormats(): Promise<string[]> };

const nativeFormats = ['ean_13', 'ean_8', 'upc_a', 'upc_e', 'code_128', 'code_39', 'itf', 'qr_code'];

/** Some browsers have the class without support for the formats that products have. */
async function createNativeReader(): Promise<ReadBarcode | undefined> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  const supported = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  const formats = nativeFormats.filter((format) => supported.includes(format));
  if (!BarcodeDetector || !formats.includes('ean_13')) return undefined;
  const detector = new BarcodeDetector({ formats });
  return async (video) => (await detector.detect(video).catch(() => []))[0]?.rawValue;
}

/** About 1 MB, loaded from this server when it is first needed. */
export async function createWasmReader(): Promise<ReadBarcode> {
  const [{ prepareZXingModule, readBarcodes }, { default: url }] = await Promise.all([
    import('zxing-wasm/reader'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  await prepareZXingModule({ overrides: { locateFile: () => url }, fireImmediately: true });
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    if (!context || canvas.width === 0) return undefined;
    context.drawImage(video, 0, 0);
    const image = context.getImageData(0, 0, canvas.width, canvas.height);
    const [found] = await readBarcodes(image, { maxNumberOfSymbols: 1 });
    return found?.text;
  };
}
