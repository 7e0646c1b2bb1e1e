/**
 * `text` with every control, direction and zero-width character written out (`\u{202e}`), so that
 * nothing is hidden. For data to sign.
 */
export const sanitizeText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(
      /(?!\n|\t|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u2800]|\p{Cs}/gu,
      (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
    )
