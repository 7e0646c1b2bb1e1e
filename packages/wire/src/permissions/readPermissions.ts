import { LatchkeyError } from '../errors/errors.ts'
import { permissionContracts } from './permissionContracts.ts'
import type { Permission } from './permissionRequest.ts'
import { getFunctionSelector, movesTokens } from './spendingFunctions.ts'

/** A limit of one argument: a word of 32 bytes, compared as unsigned. `type` is the ABI type. */
export type ArgumentRule = {
  readonly index: number
  readonly type: string
  readonly operator: 'EQUAL' | 'GREATER_THAN' | 'LESS_THAN'
  readonly word: bigint
}

/**
 * A single permission of a session; each becomes a separate delegation. Amounts are in the smallest
 * unit, times in seconds.
 */
export type Allowed =
  | {
      readonly kind: 'native'
      readonly amount: bigint
      readonly period: number
      readonly start: number
    }
  | {
      readonly kind: 'erc20'
      readonly token: string
      readonly amount: bigint
      readonly period: number
      readonly start: number
    }
  | {
      readonly kind: 'call'
      readonly contract: string
      /** For example `mint(address,uint256)`. */
      readonly signature: string
      readonly selector: string
      readonly valueLimit: bigint
      readonly rules: readonly ArgumentRule[]
    }

/**
 * The limit of an argument for display: a decimal number, `true`, `false` or hex digits (an address
 * in lower case).
 */
export function formatArgument({ type, word }: Pick<ArgumentRule, 'type' | 'word'>): string {
  if (type === 'bool') return word === 1n ? 'true' : 'false'
  if (type.startsWith('uint')) return String(word)
  if (type.startsWith('int')) return String(BigInt.asIntN(256, word))
  const digits = word.toString(16).padStart(64, '0')
  if (type === 'address') return `0x${digits.slice(24)}`
  return `0x${digits.slice(0, 2 * Number(type.slice('bytes'.length)))}`
}

const maxAllowed = 16
/** Maximum duration of a session: a year. */
export const maxSessionSeconds = 366 * 86_400

/**
 * Lists what the permissions of an account allow. Throws SIGNING_REFUSED with the reason if a
 * permission cannot be enforced on chain or would have no limit. Reasons are an overloaded
 * function, a limit of an argument that is not a single word, a function that moves tokens, or the
 * account itself as target.
 */
export function readPermissions(
  permissions: readonly Permission[],
  account: string,
): readonly Allowed[] {
  const all = permissions.flatMap((one) => readPermission(one, account.toLowerCase()))
  if (all.length > maxAllowed) throw refused('it asks for too much at once')
  return all
}

function readPermission(one: Permission, account: string): Allowed[] {
  switch (one.type) {
    case 'native-token-recurring-allowance':
      return [{ kind: 'native', ...readAllowance(one.data) }]
    case 'erc20-recurring-allowance':
      return [
        {
          kind: 'erc20',
          token: readTarget(one.data.token, account),
          ...readAllowance(one.data),
        },
      ]
    case 'contract-call': {
      const { address, abi, functions } = one.data
      const contract = readTarget(address, account)
      return functions.map((each) => readFunction(contract, abi, each))
    }
  }
}

const milliseconds = 10 ** 11

function readAllowance(data: { allowance: string; start: number; period: number }) {
  const amount = BigInt(data.allowance)
  if (amount === 0n || amount >= 1n << 128n) throw refused('an amount has no limit')
  // Some clients send the start in milliseconds.
  const start = data.start >= milliseconds ? Math.floor(data.start / 1_000) : data.start
  if (data.period < 1 || data.period > 10 ** 10) throw refused('a period is too long')
  return { amount, period: data.period, start }
}

function readTarget(address: string, account: string): string {
  const target = address.toLowerCase()
  const ours: readonly string[] = Object.values(permissionContracts)
  if (target === account || target === entryPoint || ours.includes(target))
    throw refused('it could change the account itself')
  return target
}

const entryPoint = '0x4337084d9e255ff0702461cf8895ce9e3b5ff108'

type Contract = Extract<Permission, { type: 'contract-call' }>['data']

function readFunction(
  contract: string,
  abi: Contract['abi'],
  { functionName, args = [], valueLimit = '0x0' }: Contract['functions'][number],
): Allowed {
  const found = abi.filter(({ type, name }) => type === 'function' && name === functionName)
  const [item] = found
  if (!item || found.length > 1)
    throw refused(`the function ${functionName.slice(0, 40)} is not clear`)
  if (!/^[A-Za-z_$][\w$]{0,63}$/.test(functionName)) throw refused('a function has no valid name')
  const types = readTypes(item.inputs ?? [])
  const signature = `${functionName}(${types.join(',')})`
  const selector = getFunctionSelector(signature)
  // Compares the selector that the contract receives: another name can have the same selector.
  if (movesTokens(selector))
    throw refused(`${functionName} can move tokens without a limit. Ask for an allowance instead`)
  return {
    kind: 'call',
    contract,
    signature,
    selector,
    valueLimit: BigInt(valueLimit),
    rules: args.flatMap((rule, index) => (rule ? readRules(rule, { index, types }) : [])),
  }
}

const elementary =
  /^(address|bool|string|function|bytes([1-9]|[12]\d|3[0-2])?|u?int(\d{1,3}))((\[\d{0,4}\]){0,4})$/

function readTypes(inputs: unknown, depth = 0): string[] {
  if (!Array.isArray(inputs) || inputs.length > 32 || depth > 4)
    throw refused('an ABI is not valid')
  return inputs.map((input: unknown) => {
    const { type, components } = (input ?? {}) as { type?: unknown; components?: unknown }
    if (typeof type !== 'string') throw refused('an ABI is not valid')
    const tuple = /^tuple((\[\d{0,4}\]){0,4})$/.exec(type)
    if (tuple) return `(${readTypes(components, depth + 1).join(',')})${tuple[1]}`
    const bits = Number(elementary.exec(type)?.[3] ?? 8)
    if (!elementary.test(type) || bits < 8 || bits > 256 || bits % 8 !== 0)
      throw refused('an ABI is not valid')
    return type
  })
}

type Rule = {
  readonly operator: ArgumentRule['operator']
  readonly value: string | number | boolean
}

function readRules(
  { operator, value }: Rule,
  { index, types }: { readonly index: number; readonly types: readonly string[] },
): ArgumentRule[] {
  const type = types[index] ?? ''
  // A fixed array or a tuple takes several words, so it shifts the position of the arguments after
  // it.
  if (types.slice(0, index + 1).some((one) => /\)|\[\d/.test(one)) || /\[/.test(type))
    throw refused('the limit of an argument cannot be checked on the chain')
  const word = toWord(type, value)
  if (operator !== 'EQUAL' && !type.startsWith('uint'))
    throw refused('only whole numbers can be compared')
  const rule = { index, type, operator, word }
  if (operator !== 'GREATER_THAN' || type === 'uint256') return [rule]
  // Some contracts truncate a word to its type: higher bits would make a small number look large.
  return [
    rule,
    { index, type, operator: 'LESS_THAN', word: 1n << BigInt(type.slice('uint'.length)) },
  ]
}

function toWord(type: string, value: string | number | boolean): bigint {
  if (type === 'bool') {
    if (value === true || value === 'true') return 1n
    if (value === false || value === 'false') return 0n
    throw refused('an argument is no bool')
  }
  const text = String(value)
  if (type === 'address' && /^0x[0-9a-f]{40}$/i.test(text)) return BigInt(text)
  const [, fixed] = /^bytes(\d+)$/.exec(type) ?? []
  if (fixed && new RegExp(`^0x[0-9a-f]{${Number(fixed) * 2}}$`, 'i').test(text))
    return BigInt(text.padEnd(66, '0'))
  const [, kind, bits] = /^(u?int)(\d+)$/.exec(type) ?? []
  if (kind && /^(-?\d{1,78}|0x[0-9a-f]{1,64})$/i.test(text)) {
    const number = BigInt(text)
    const cut =
      kind === 'int' ? BigInt.asIntN(Number(bits), number) : BigInt.asUintN(Number(bits), number)
    if (cut === number) return BigInt.asUintN(256, number)
  }
  throw refused(`an argument is no ${type.slice(0, 20) || 'argument of the function'}`)
}

const refused = (reason: string) => new LatchkeyError('SIGNING_REFUSED', { data: { reason } })
