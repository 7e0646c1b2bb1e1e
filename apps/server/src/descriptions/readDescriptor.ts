import {
  type DescribedParameter,
  describeSignedRoute,
  maxDescribedFields,
  type SignedDescription,
} from '@latchkey/wire'
import { keccak256, parseAbiItem, stringToHex, toFunctionSelector } from 'viem'
import * as z from 'zod'
import { readDescriptorFile, resolveReferences } from './readDescriptorFile.ts'
import { flattenFields } from './readFields.ts'

type DescriptorFile = ReturnType<typeof readDescriptorFile>

// Some files write a number as its digits.
const chainId = z.union([
  z.int().min(1),
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number),
])
const deployments = z
  .array(z.object({ chainId, address: z.string().regex(/^0x[0-9a-fA-F]{40}$/) }))
  .max(2_000)
const abi = z.array(z.looseObject({ type: z.string() }))
const types = z.record(
  z.string(),
  z.array(z.object({ name: z.string(), type: z.string() })).max(100),
)
const descriptor = z.object({
  context: z.object({
    contract: z
      // An ABI that is a URL is never fetched.
      .object({ deployments: deployments.nullish(), abi: z.union([abi, z.string()]).nullish() })
      .nullish(),
    eip712: z
      .object({
        deployments: deployments.nullish(),
        domain: z.object({ name: z.string().nullish(), version: z.string().nullish() }).nullish(),
        domainSeparator: z.null().optional(),
        schemas: z
          .array(z.union([z.string(), z.object({ primaryType: z.string(), types })]))
          .nullish(),
      })
      .nullish(),
  }),
  metadata: z.object({ owner: z.string().nullish() }).nullish(),
  display: z.object({ formats: z.record(z.string(), z.unknown()) }),
})
type Descriptor = z.infer<typeof descriptor>

const format = z.object({
  intent: z.union([z.string(), z.record(z.string(), z.string())]).nullish(),
  fields: z.array(z.unknown()).max(500).nullish(),
})

/** A description with the contracts and the key that it is bound to. */
export type BoundDescription = {
  readonly deployments: readonly { readonly chainId: number; readonly address: string }[]
  /** A selector, or the hash of an EIP-712 type. */
  readonly key: string
  readonly description: SignedDescription
}

/**
 * The descriptions of calls and typed data in an ERC-7730 file, and the problems of those left out.
 * Throws Error if the file is not an ERC-7730 file.
 */
export function readDescriptor(
  path: string,
  folder: string,
): { found: BoundDescription[]; problems: string[] } {
  const file = readDescriptorFile(path, { folder })
  const parsed = descriptor.safeParse(file)
  // Shared parts lack a context or formats.
  const isWhole = 'context' in file && 'display' in file
  if (!parsed.success)
    return { found: [], problems: isWhole ? [z.prettifyError(parsed.error).slice(0, 200)] : [] }
  const { context, display } = parsed.data
  const places = (context.contract ?? context.eip712)?.deployments ?? []
  const found: BoundDescription[] = []
  const problems: string[] = []
  if (places.length === 0) return { found, problems }
  for (const [name, shown] of Object.entries(display.formats)) {
    try {
      const bound = context.contract
        ? [bindCall(parsed.data, name)]
        : bindTypedData(parsed.data, name)
      const words = format.parse(resolveReferences(file, shown as DescriptorFile))
      const fields = flattenFields(words.fields ?? [], '').slice(0, maxDescribedFields)
      for (const { key, shape } of bound)
        found.push({
          deployments: places,
          key,
          description: parseDescription({
            source: 'descriptor',
            ...shape,
            owner: cut(parsed.data.metadata?.owner, 120),
            intent: cut(readIntent(words.intent), 200),
            fields,
          }),
        })
    } catch (error) {
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
      problems.push(`${name.slice(0, 60)}: ${reason.slice(0, 200)}`)
    }
  }
  return { found, problems }
}

/** Parses with the schema of the frame, so that the frame accepts every result. */
const parseDescription = (given: unknown): SignedDescription => {
  const { description } = z.parse(describeSignedRoute.result, { description: given })
  if (description === null) throw new Error('is empty')
  return description
}

const cut = (text: string | null | undefined, maxLength: number) =>
  text?.trim().slice(0, maxLength) || undefined
const readIntent = (intent: z.infer<typeof format>['intent']) =>
  typeof intent === 'object' && intent !== null
    ? Object.entries(intent)
        .map((pair) => pair.join(': '))
        .join(', ')
    : intent

type Bound = {
  key: string
  shape: Pick<SignedDescription, 'name' | 'inputs' | 'encodedType' | 'domain'>
}

/** A function by its signature with names, or by signature or selector in the file's own ABI. */
function bindCall({ context }: Descriptor, name: string): Bound {
  const own = Array.isArray(context.contract?.abi) ? context.contract.abi : []
  const selector = /^0x[0-9a-f]{8}$/i.test(name) ? name.toLowerCase() : undefined
  const parsed =
    selector === undefined
      ? (parseAbiItem([`function ${name}`] as never) as AbiFunction)
      : undefined
  const key = selector ?? toFunctionSelector(parsed as never)
  const listed = own.find(
    (one) => one.type === 'function' && toFunctionSelector(one as never) === key,
  ) as AbiFunction | undefined
  const found = listed ?? parsed
  if (!found) throw new Error('is a selector that the file has no ABI for')
  return { key, shape: { name: found.name, inputs: found.inputs.map(toParameter) } }
}

type AbiFunction = { readonly name: string; readonly inputs: readonly AbiInput[] }
type AbiInput = {
  readonly name?: string
  readonly type: string
  readonly components?: readonly AbiInput[]
}

/** A parameter without what only compilers need. */
export const toParameter = ({ name = '', type, components }: AbiInput): DescribedParameter => ({
  name,
  type,
  ...(components && { components: components.map(toParameter) }),
})

/**
 * A type by its encoding (version 2), or each type of that name in the file's schemas (version 1).
 */
function bindTypedData({ context }: Descriptor, name: string): Bound[] {
  const schemas = (context.eip712?.schemas ?? []).flatMap((one) =>
    typeof one === 'object' && one.primaryType === name ? [encodeType(one.types, name)] : [],
  )
  const types = schemas.length > 0 ? schemas : [name]
  if (!types.every((one) => one.includes('(')))
    throw new Error('is a type that the file has no schema for')
  const domain = Object.entries(context.eip712?.domain ?? {}).filter(([, value]) => value != null)
  const bound = domain.length > 0 && {
    domain: Object.fromEntries(domain) as SignedDescription['domain'],
  }
  return types.map((encodedType) => ({
    key: keccak256(stringToHex(encodedType)),
    shape: { encodedType, ...bound },
  }))
}

/** EIP-712's `encodeType`. */
function encodeType(all: z.infer<typeof types>, primaryType: string): string {
  const found = new Set<string>()
  const visit = (name: string) => {
    const plain = name.replace(/\[.*$/, '')
    if (!Object.hasOwn(all, plain) || found.has(plain)) return
    found.add(plain)
    for (const { type } of all[plain] ?? []) visit(type)
  }
  visit(primaryType)
  found.delete(primaryType)
  return [primaryType, ...[...found].sort()]
    .map((name) => `${name}(${(all[name] ?? []).map((one) => `${one.type} ${one.name}`).join()})`)
    .join('')
}
