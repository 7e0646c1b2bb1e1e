import type { Messages } from '../../src/index.ts'

/** Words in Arabic. */
export const arabic = 'المحفظة الرقمية للعملات'

const catalogs = import.meta.glob<Record<string, Record<string, string | { other: string }>>>(
  '../../src/locales/**/en*.ts',
  { eager: true },
)

/** Every message with words of another language behind it: longer than any translation will be. */
export const lengthen = (words: string): Messages =>
  Object.fromEntries(
    Object.values(catalogs)
      .flatMap((module) => Object.values(module))
      .flatMap((catalog) => Object.entries(catalog))
      .map(([key, text]) => [
        key,
        typeof text === 'string' ? `${text} ${words}` : { other: `${text.other} ${words}` },
      ]),
  )
