const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code))

/**
 * Returns the decimal digits of a string, of any script and width, as 0 to 9, without all other
 * characters.
 */
export function readDigits(text: string): string {
  return [...text.normalize('NFKC')]
    .map((character) => {
      const code = character.codePointAt(0) as number
      if (!isDigit(code)) return ''
      // The ten digits of a script are consecutive, and two scripts may be adjacent.
      let zero = code
      while (isDigit(zero - 1)) zero -= 1
      return String((code - zero) % 10)
    })
    .join('')
}
