/** One color in the shades that a drawing needs. Text in `ink` is legible on `base`. */
export type Tone = { base: string; dark: string; light: string; pale: string; ink: string };

const onDark = '#fffdf8';
const onLight = '#3b352c';

export const tones = {
  red: { base: '#d64a45', dark: '#a63431', light: '#f0958c', pale: '#fbebe8', ink: onDark },
  berry: { base: '#a5355f', dark: '#7a2245', light: '#d98aa7', pale: '#f8e9ee', ink: onDark },
  pink: { base: '#e27d9b', dark: '#b95577', light: '#f6bfce', pale: '#fceff3', ink: onDark },
  orange: { base: '#e98339', dark: '#bd611f', light: '#f7be90', pale: '#fdf1e6', ink: onDark },
  amber: { base: '#f0b243', dark: '#bd821b', light: '#f9d996', pale: '#fdf5e3', ink: onLight },
  yellow: { base: '#f4d154', dark: '#c39c1f', light: '#fae9a4', pale: '#fdf9e5', ink: onLight },
  lime: { base: '#a3bf4b', dark: '#748d27', light: '#d0e096', pale: '#f4f8e6', ink: onLight },
  green: { base: '#5aa05d', dark: '#3b7641', light: '#a6d1a3', pale: '#ecf5eb', ink: onDark },
  forest: { base: '#2f6b50', dark: '#1f4b38', light: '#86b49d', pale: '#e8f1ec', ink: onDark },
  mint: { base: '#5dbca2', dark: '#388d77', light: '#b0e1d3', pale: '#e9f6f2', ink: onDark },
  teal: { base: '#318e9b', dark: '#206670', light: '#8cc8cf', pale: '#e6f3f4', ink: onDark },
  sky: { base: '#64afdd', dark: '#3c83b0', light: '#b4dbf1', pale: '#eaf4fb', ink: onDark },
  blue: { base: '#3c6fbd', dark: '#284f8c', light: '#97b5e3', pale: '#e9f0f9', ink: onDark },
  navy: { base: '#2d406b', dark: '#1c2a4b', light: '#8795b9', pale: '#e9ecf3', ink: onDark },
  violet: { base: '#7d5cb1', dark: '#5a3f87', light: '#bda8db', pale: '#f1edf8', ink: onDark },
  brown: { base: '#7a4d36', dark: '#563423', light: '#bc947f', pale: '#f4ece7', ink: onDark },
  caramel: { base: '#bf8b58', dark: '#926436', light: '#e2c29e', pale: '#f9f2e8', ink: onDark },
  cream: { base: '#eedfc0', dark: '#b99f6c', light: '#f8f0df', pale: '#fbf7ee', ink: onLight },
  gray: { base: '#a6adb5', dark: '#747c85', light: '#d5d9de', pale: '#f2f4f5', ink: onDark },
  charcoal: { base: '#464d57', dark: '#2d3239', light: '#949ba5', pale: '#edeef0', ink: onDark },
  white: { base: '#f4f0e6', dark: '#b0a993', light: '#fffdf8', pale: '#ebe8df', ink: onLight },
} as const satisfies Record<string, Tone>;

export type ToneName = keyof typeof tones;
