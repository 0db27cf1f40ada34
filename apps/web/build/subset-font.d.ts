declare module 'subset-font' {
  /** Returns the part of a font that the characters of `text` need. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'woff2'
      variationAxes: Record<string, { min: number; max: number }>
      /** OpenType features to keep; all by default. */
      keepFeatures: readonly string[]
    },
  ): Promise<Uint8Array>
}
