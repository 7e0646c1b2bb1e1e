import { decodeBase64, decodeUtf8, encodeBase64 } from '@latchkey/wire'
import { encodeText } from '../crypto/bytes.ts'
import { array, object, readJsonAs, record, unknown } from '../shape.ts'

/**
 * The methods and chains that a ReCap (EIP-5573) allows. Requesting methods is the protocol's only
 * ability.
 */
export type Recap = { methods: string[]; chains: string[] }

const prefix = 'urn:recap:'
const namespace = 'eip155'
const shape = object({ att: record(record(array(record(unknown)))) })

type Attenuations = Record<string, Record<string, Record<string, unknown>[]>>

/**
 * The resource of a ReCap: without chains as an app requests it, with chains as a wallet allows it.
 */
export function formatRecap({ methods, chains }: Recap): string {
  const limit = chains.length > 0 ? { chains } : {}
  const actions = [...new Set(methods)].sort().map((method) => [`request/${method}`, [limit]])
  const json = JSON.stringify({ att: { [namespace]: Object.fromEntries(actions) } })
  return `${prefix}${encodeBase64(encodeText(json), 'base64').replaceAll('=', '')}`
}

/** The ReCap among resources, which is the last if there is one. */
export function parseRecap(resources: readonly string[] | undefined): Recap | undefined {
  const attenuations = getAttenuations(resources)
  if (attenuations === undefined) return undefined
  const actions = Object.entries(attenuations[namespace] ?? {}).flatMap(([action, limits]) => {
    const [, method] = /^request\/(.+)$/.exec(action) ?? []
    return method === undefined ? [] : [{ method, limits }]
  })
  const chains = actions.flatMap(({ limits }) =>
    limits.flatMap((limit) => (Array.isArray(limit.chains) ? limit.chains : [])),
  )
  return {
    methods: actions.map(({ method }) => method),
    chains: [...new Set(chains.filter((chain) => typeof chain === 'string'))],
  }
}

function getAttenuations(resources: readonly string[] | undefined): Attenuations | undefined {
  const last = resources?.at(-1)
  if (!last?.startsWith(prefix)) return undefined
  const encoded = last.slice(prefix.length).replace(/=+$/, '')
  const bytes = decodeBase64(encoded.replaceAll('+', '-').replaceAll('/', '_'), 'base64url')
  return readJsonAs(shape, bytes && decodeUtf8(bytes))?.att
}

/** A statement with the sentence of its ReCap (EIP-5573), added if it is missing. */
export function withRecapStatement(
  statement: string | undefined,
  resources: readonly string[] | undefined,
): string | undefined {
  const attenuations = getAttenuations(resources)
  if (attenuations === undefined) return statement
  const parts = Object.entries(attenuations)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([target, actions]) => {
      const names = Object.keys(actions).sort()
      const abilities = [...new Set(names.map((name) => name.split('/', 1)[0] ?? ''))]
      return abilities.map((ability) => {
        const own = names.filter((name) => name.startsWith(`${ability}/`))
        const listed = own.map((name) => `'${name.slice(ability.length + 1)}'`).join(', ')
        return `'${ability}': ${listed} for '${target}'.`
      })
    })
  const sentence = `I further authorize the stated URI to perform the following actions on my behalf: ${parts
    .map((part, at) => `(${at + 1}) ${part}`)
    .join(' ')}`
  if (!statement) return sentence
  return statement.endsWith(sentence) ? statement : `${statement} ${sentence}`
}
