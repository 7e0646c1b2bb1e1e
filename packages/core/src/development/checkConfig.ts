import type { Config, Environment } from '../app.ts'
import { legacyPaths } from '../legacy/legacyPaths.ts'
import { checkNetworks } from './checkNetworks.ts'
import * as known from './configNames.ts'
import { nearestName } from './nearestName.ts'

type Fields = Readonly<Record<string, unknown>>

/** The configs that were checked, so that each warning appears once. */
const checked = new WeakSet<object>()

/**
 * Checks an app's config, in development. Throws a TypeError for a mistake with which the app
 * cannot work, and warns of each setting that the app ignores.
 */
export function checkConfig(config: Config, warn: Environment['warn']): void {
  const fields: Fields = config ?? {}
  checkNetworks(fields.networks)
  checkGroups(fields)
  checkConnectors(asFields(fields.wallets).connectors)
  if (checked.has(config)) return
  checked.add(config)
  for (const text of listIgnored(fields)) warn(text, undefined)
}

function checkGroups(fields: Fields) {
  for (const group of ['wallets', 'login', 'modal', 'features', 'signIn'])
    if (fields[group] !== undefined && (typeof fields[group] !== 'object' || !fields[group]))
      throw new TypeError(
        `\`${group}\` is ${describe(fields[group])}. Write its options in an object, \`${group}: {}\``,
      )
}

function checkConnectors(connectors: unknown) {
  if (connectors === undefined) return
  if (!Array.isArray(connectors))
    throw new TypeError(
      '`wallets.connectors` is not a list. Write `connectors: [safe({ allowedOrigins })]`',
    )
  for (const [index, create] of connectors.entries())
    if (typeof create !== 'function')
      throw new TypeError(
        `\`wallets.connectors[${index}]\` is ${describe(create)}. Pass the result of a function of \`@latchkey/react/connectors\`, such as \`safe({ allowedOrigins })\``,
      )
}

/**
 * Throws a TypeError, in development, if an entry of `wallets.connectors` has not created a
 * connector. Undefined is allowed.
 */
export function checkConnector(created: unknown): void {
  if (created === undefined) return
  if (typeof created === 'function')
    throw new TypeError(
      'An entry of `wallets.connectors` created a function instead of a connector. Call it in the config: `connectors: [ledger()]`, not `connectors: [ledger]`',
    )
  if (typeof asFields(asFields(created).info).id !== 'string')
    throw new TypeError(
      'An entry of `wallets.connectors` created no connector. Use the functions of `@latchkey/react/connectors`; connectors of other libraries do not fit',
    )
}

function listIgnored(fields: Fields): string[] {
  const { features, metadata } = fields
  const wallets = asFields(fields.wallets)
  const login = asFields(fields.login)
  const modal = asFields(fields.modal)
  return [
    ...(fields.projectId
      ? []
      : [
          '`projectId` is missing. Set it to an id that the server knows: a server that you run yourself accepts `local`',
        ]),
    ...checkUrls(fields),
    ...checkNames('', fields, known.configOptions),
    ...checkNames('wallets.', wallets, known.walletOptions),
    ...checkNames('login.', login, known.loginOptions),
    ...checkNames('modal.', modal, known.modalOptions),
    ...checkNames('features.', features, known.featureOptions),
    ...checkNames('metadata.', metadata, known.metadataOptions),
    ...checkNames('wallets.walletConnect.', wallets.walletConnect, known.relayOptions),
    ...checkNames('modal.themeVariables.', modal.themeVariables, known.themeVariables),
    ...checkValues('modal.themeMode', modal.themeMode, known.themeModes),
    ...checkValues('modal.connectOrder', modal.connectOrder, known.connectMethods),
    ...checkValues('modal.actionOrder', modal.actionOrder, known.walletFeatures),
    ...checkValues('login.otpSurface', login.otpSurface, known.otpSurfaces),
    ...checkValues('login.socials', login.socials, known.socialNames),
    ...checkValues('wallets.order', wallets.order, known.connectorTypes),
    ...checkNames('signIn.', fields.signIn, known.signInOptions),
    ...checkRelay(wallets.walletConnect),
    ...checkRpcUrls(fields),
    ...checkDefaultNetwork(fields),
    ...checkLogins(fields),
    ...checkCustomWallets(wallets.custom),
  ]
}

function checkUrls({ apiUrl, frameUrl }: Fields): string[] {
  return [
    ...(isUrl(apiUrl)
      ? []
      : [
          `\`apiUrl\` is "${apiUrl ?? ''}". Set it to the URL of your server, such as https://wallet.example`,
        ]),
    ...(frameUrl === undefined || isUrl(frameUrl)
      ? []
      : [
          `\`frameUrl\` is "${frameUrl}". Set it to the URL of your secure frame, such as https://frame.example`,
        ]),
  ]
}

/** The options of an object that do not exist, each with the name that was probably meant. */
function checkNames(path: string, object: unknown, names: readonly string[]): string[] {
  return Object.keys(asFields(object))
    .filter((name) => !names.includes(name))
    .map(
      (name) => `\`${path}${name}\` does not exist and has no effect.${suggestOption(name, names)}`,
    )
}

/** The values that an option does not have. */
function checkValues(path: string, given: unknown, values: readonly string[]): string[] {
  if (given === undefined) return []
  return (Array.isArray(given) ? given : [given])
    .filter((value) => !values.includes(value))
    .map(
      (value) =>
        `\`${path}\` has the value ${describe(value)}, which does not exist.${suggest(String(value), values)}`,
    )
}

/** The new place of an option of older apps, or the nearest name. */
const suggestOption = (given: string, names: readonly string[]): string =>
  Object.hasOwn(legacyPaths, given)
    ? ` Did you mean \`${legacyPaths[given]}\`?`
    : suggest(given, names)

function suggest(given: string, names: readonly string[]): string {
  const near = nearestName(given, names)
  return near ? ` Did you mean \`${near}\`?` : ` Use one of: ${names.join(', ')}`
}

function checkRelay(relay: unknown): string[] {
  if (relay === undefined || typeof relay === 'boolean' || typeof relay === 'object') return []
  return [
    `\`wallets.walletConnect\` is ${describe(relay)}, which has no effect. Write \`walletConnect: { relayUrl }\``,
  ]
}

function checkRpcUrls({ networks, rpcUrls }: Fields): string[] {
  const ids = getIds(networks)
  return Object.entries(asFields(rpcUrls)).flatMap(([id, url]) => [
    ...(ids.includes(id)
      ? []
      : [`\`rpcUrls\` has "${id}", which is not in \`networks\`. Use one of: ${ids.join(', ')}`]),
    ...(isUrl(url)
      ? []
      : [`\`rpcUrls["${id}"]\` is ${describe(url)}. Set it to the URL of a node, or leave it out`]),
  ])
}

function checkDefaultNetwork({ networks, defaultNetwork }: Fields): string[] {
  const ids = getIds(networks)
  if (defaultNetwork === undefined || ids.includes(String(defaultNetwork))) return []
  return [
    `\`defaultNetwork\` is ${describe(defaultNetwork)}, which is not in \`networks\`. Set it to one of: ${ids.join(', ')}`,
  ]
}

function checkLogins({ login, frameUrl }: Fields): string[] {
  const { email, socials } = asFields(login)
  if (frameUrl || !(email || (Array.isArray(socials) && socials.length > 0))) return []
  return [
    `\`login.${email ? 'email' : 'socials'}\` has no effect without \`frameUrl\`. Set it to the URL of your secure frame, such as https://frame.example`,
  ]
}

function checkCustomWallets(wallets: unknown): string[] {
  if (!Array.isArray(wallets)) return []
  return [...wallets.entries()].flatMap(([index, wallet]) =>
    ['id', 'name']
      .filter((field) => !asFields(wallet)[field])
      .map(
        (field) =>
          `\`wallets.custom[${index}]\` has no \`${field}\` and is not listed. Give it an \`id\` that no other wallet has, and a \`name\``,
      ),
  )
}

/** The CAIP-2 ids of networks that `checkNetworks` has checked. */
const getIds = (networks: unknown): string[] =>
  (networks as Config['networks']).map(({ caipNetworkId }) => caipNetworkId)

const isUrl = (url: unknown) => /^https?:\/\/\w/.test(String(url))

const asFields = (value: unknown): Fields =>
  (typeof value === 'object' && value ? value : {}) as Fields

/** A value as a developer reads it, strings in quotes. */
function describe(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 60)}"`
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
