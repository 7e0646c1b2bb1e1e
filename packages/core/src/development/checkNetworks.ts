type Fields = Readonly<Record<string, unknown>>

const networksEntry = '`@latchkey/react/networks`'

/** Throws a TypeError unless `networks` is a list of networks with at least one. */
export function checkNetworks(networks: unknown): void {
  const hint = `Name at least one network of ${networksEntry}, such as \`networks: [mainnet]\``
  if (!Array.isArray(networks))
    throw new TypeError(
      `\`networks\` is ${networks === undefined ? 'missing' : 'not a list'}. ${hint}`,
    )
  if (networks.length === 0) throw new TypeError(`\`networks\` is empty. ${hint}`)
  for (const [index, network] of networks.entries()) {
    const problem = findProblem(network)
    if (problem) throw new TypeError(`\`networks[${index}]\` ${problem}`)
  }
}

function findProblem(network: unknown): string | undefined {
  if (typeof network !== 'object' || !network)
    return `is ${String(network)}. Use a network of ${networksEntry}, and check that it exports this name`
  const { caipNetworkId, chainNamespace, id, name, rpcUrls } = network as Fields
  const isChain = typeof rpcUrls === 'object' && rpcUrls !== null && 'default' in rpcUrls
  // Only EVM chains have a number.
  if (isChain && typeof id === 'number')
    return `is a chain of viem (${name}). Convert it: \`fromViemChain(chain)\` of ${networksEntry}`
  const missing = requiredFields.filter((field) => (network as Fields)[field] === undefined)
  if (isChain || missing.length > 0)
    return `is not a network: ${missing.map((field) => `\`${field}\``).join(', ') || 'a list of `rpcUrls`'} is missing. Use a network of ${networksEntry}, or make one with \`defineNetwork\``
  if (caipNetworkId !== `${chainNamespace}:${id}`)
    return `has the \`caipNetworkId\` ${JSON.stringify(caipNetworkId)} instead of "${chainNamespace}:${id}". Make it with \`defineNetwork\` of ${networksEntry}`
  return undefined
}

const requiredFields = [
  'id',
  'caipNetworkId',
  'chainNamespace',
  'name',
  'nativeCurrency',
  'rpcUrls',
  'assets',
]
