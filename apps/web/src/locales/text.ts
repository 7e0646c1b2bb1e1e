import { en } from './en.ts'

type Key = keyof typeof en
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never
type Fill<Text extends string> = [Names<Text>] extends [never]
  ? []
  : [data: Record<Names<Text>, string | number>]

/**
 * Returns the string of a key; `{name}` is replaced from the data, with numbers in the format of
 * the page's language.
 */
export function text<K extends Key>(key: K, ...[data]: Fill<(typeof en)[K]>): string {
  const fill: Record<string, string | number> = data ?? {}
  return en[key].replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = fill[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? value.toLocaleString('en') : value
  })
}
