const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|\p{Cs}/gu

/** `text` with each control, direction and zero-width mark written out (`\u{202e}`): what is seen is what is there. */
export const showText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(hidden, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`)
