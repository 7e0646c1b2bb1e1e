import { cleanText } from '@latchkey/wire'
import { parseLooseJson } from './parseLooseJson.ts'

/**
 * An NFT's metadata, cleaned and bounded. `image` is a URI as it was written, or an SVG as a
 * `data:` URL.
 */
export type Metadata = {
  readonly name: string | null
  readonly description: string | null
  readonly image: string | null
  readonly externalUrl: string | null
  readonly attributes: readonly Attribute[]
}
export type Attribute = { readonly name: string; readonly value: string }

/** Empty metadata. */
export const noMetadata: Metadata = {
  name: null,
  description: null,
  image: null,
  externalUrl: null,
  attributes: [],
}

const limits = {
  name: 200,
  description: 2_000,
  lines: 40,
  attributes: 50,
  trait: 64,
  value: 200,
  url: 2_048,
}

/**
 * Reads the JSON of the ERC-721 and ERC-1155 metadata standards, with the fields that markets
 * added. Undefined if it is not an object.
 */
export function parseMetadata(json: string): Metadata | undefined {
  const fields = readObject(json)
  if (fields === undefined) return undefined
  const { name, description, image } = getSchemaValues(fields)
  return {
    name: toText(fields.name ?? name ?? fields.title, limits.name),
    description: cleanText(toPlainText(fields.description ?? description), {
      maxLength: limits.description,
      lines: limits.lines,
    }),
    image: getImage({ image, ...fields }),
    externalUrl: parseUrl(fields.external_url ?? fields.external_link ?? fields.externalUrl),
    attributes: parseAttributes(fields.attributes ?? fields.traits ?? fields.properties),
  }
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads an object from JSON, or the first object of a list. */
function readObject(json: string): Fields | undefined {
  const value = parseLooseJson(json)
  const found: unknown = Array.isArray(value) ? value[0] : value
  return isObject(found) ? found : undefined
}

/**
 * The values of metadata that follows the form of ERC-721's JSON schema, which some contracts fill
 * in literally.
 */
function getSchemaValues({ type, properties }: Fields): Fields {
  if (type !== 'object' || !isObject(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) =>
      isObject(field) && field.type === 'string' ? [[name, field.value ?? field.description]] : [],
    ),
  )
}

const toPlainText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''

const toText = (value: unknown, length: number) =>
  cleanText(toPlainText(value), { maxLength: length })

function getImage({ image, image_url, imageUrl, image_data }: Fields): string | null {
  const uri = [image, image_url, imageUrl, image_data].flatMap(findTexts)[0]
  if (uri === undefined) return null
  if (uri.startsWith('<')) return `data:image/svg+xml;base64,${Buffer.from(uri).toString('base64')}`
  return /^data:/i.test(uri) || uri.length <= limits.url ? uri : null
}

/** Collects the addresses in a value: a string, an object with an address, or a list of either. */
function findTexts(value: unknown): string[] {
  const [first] = Array.isArray(value) ? value : [value]
  const texts = isObject(first)
    ? [
        first.url,
        first.uri,
        first.src,
        first.href,
        first.image,
        first.value,
        parseUrl(first.description),
      ]
    : [first]
  return texts.flatMap((text) => (typeof text === 'string' && text.trim() ? [text.trim()] : []))
}

function parseUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > limits.url || !URL.canParse(value)) return null
  const { protocol, username, password, href } = new URL(value)
  return protocol === 'https:' && username === '' && password === '' ? href : null
}

/**
 * The attributes from a list of traits, or from an object by its keys. Leaves out attributes
 * without a plain value.
 */
function parseAttributes(value: unknown): Attribute[] {
  const entries = Array.isArray(value)
    ? value.slice(0, limits.attributes * 4).filter(isObject)
    : isObject(value)
      ? Object.entries(value)
          .slice(0, limits.attributes * 4)
          .map(([name, entry]) => (isObject(entry) ? { name, ...entry } : { name, value: entry }))
      : []
  return entries
    .flatMap((entry: Fields) => {
      const name = toText(entry.trait_type ?? entry.name ?? entry.key, limits.trait)
      const text = toText(shownValue(entry), limits.value)
      return text === null ? [] : [{ name: name ?? '', value: text }]
    })
    .slice(0, limits.attributes)
}

/** The value to show: a date is given in seconds since 1970. */
function shownValue({ display_type, value }: Fields): unknown {
  if (display_type !== 'date' || typeof value !== 'number' || !(Math.abs(value) <= 8.64e12))
    return value
  return new Date(value * 1000).toISOString().slice(0, 10)
}
