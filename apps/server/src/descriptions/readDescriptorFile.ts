import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import * as z from 'zod'

const maxFileBytes = 1_048_576
const maxIncludes = 5
const maxDepth = 20

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
type JsonObject = { readonly [name: string]: Json }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads an ERC-7730 file with what it `includes`, its own entries first. Throws Error for a file
 * that is too large, outside `folder`, not JSON, or includes itself.
 */
export function readDescriptorFile(
  path: string,
  { folder, within = [] }: { folder: string; within?: readonly string[] },
): JsonObject {
  const real = realpathSync(path)
  if (!real.startsWith(`${realpathSync(folder)}${sep}`)) throw new Error('is outside the folder')
  if (within.includes(real)) throw new Error('includes itself')
  if (within.length > maxIncludes) throw new Error(`includes more than ${maxIncludes} levels`)
  if (statSync(real).size > maxFileBytes) throw new Error(`is larger than ${maxFileBytes} bytes`)
  const { includes, ...own } = z
    .looseObject({ includes: z.string().max(200).optional() })
    .parse(JSON.parse(readFileSync(real, 'utf8')))
  if (includes === undefined) return own as JsonObject
  if (/^[a-z]+:/i.test(includes)) throw new Error('includes a URL, which is never fetched')
  const included = readDescriptorFile(resolve(dirname(real), includes), {
    folder,
    within: [...within, real],
  })
  return merge(included, own as JsonObject, 0) as JsonObject
}

/**
 * Merges objects by name and fields by path, following the standard; otherwise the later value
 * wins.
 */
function merge(base: Json, over: Json, depth: number): Json {
  if (depth > maxDepth) throw new Error(`is nested deeper than ${maxDepth}`)
  if (Array.isArray(base) && Array.isArray(over) && [...base, ...over].some(hasPath))
    return mergeFields(base, over, depth)
  if (!isObject(base) || !isObject(over)) return over
  const names = new Set([...Object.keys(base), ...Object.keys(over)])
  return Object.fromEntries(
    [...names].map((name) => {
      const [a, b] = [own(base, name), own(over, name)]
      return [name, a !== undefined && b !== undefined ? merge(a, b, depth + 1) : (b ?? a ?? null)]
    }),
  )
}

/** Fields of one path merge, also several of them; all others stay. */
function mergeFields(base: readonly Json[], over: readonly Json[], depth: number): Json[] {
  const isSame = (a: Json, b: Json) => hasPath(a) && getPath(a) === getPath(b)
  return [
    ...base.flatMap((one) => {
      const later = over.filter((other) => isSame(other, one))
      return later.length === 0 ? [one] : later.map((other) => merge(one, other, depth + 1))
    }),
    ...over.filter((one) => !base.some((other) => isSame(other, one))),
  ]
}

const getPath = (value: Json) => (isObject(value) ? value.path : undefined)
const hasPath = (value: Json) => typeof getPath(value) === 'string'
const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Resolves `$.a.b` in the file; undefined if it does not exist. */
function findReference(file: JsonObject, reference: string): Json | undefined {
  let found: Json | undefined = file
  for (const name of reference.replace(/^\$\./, '').split('.'))
    found = isObject(found) ? own(found, name) : undefined
  return found
}

/**
 * Replaces each `$ref` and each string `$.…` by the part of the file that it names. Entries next to
 * a `$ref` override the entries of its target. Throws Error for references that name nothing or are
 * circular.
 */
export function resolveReferences(file: JsonObject, value: Json, depth = 0): Json {
  if (depth > maxDepth) throw new Error('has circular references')
  if (typeof value === 'string' && value.startsWith('$.')) {
    const found = findReference(file, value)
    if (found === undefined)
      throw new Error(`refers to ${value.slice(0, 80)}, which does not exist`)
    return resolveReferences(file, found, depth + 1)
  }
  if (Array.isArray(value)) return value.map((one) => resolveReferences(file, one, depth + 1))
  if (!isObject(value)) return value
  const { $ref, ...rest } = value
  const entries = Object.entries(rest).map(
    // A path to a constant is not a path into the signed data, even if the constant looks like a
    // path.
    ([name, one]) =>
      [name, name === 'path' ? one : resolveReferences(file, one, depth + 1)] as const,
  )
  if (typeof $ref !== 'string') return Object.fromEntries(entries)
  const target = resolveReferences(file, $ref, depth + 1)
  return merge(target, Object.fromEntries(entries), 0)
}
