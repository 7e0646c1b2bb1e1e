import type { App } from '../../../../app.ts'
import type { Connector, ConnectResult } from '../../../../connection/connectors/connector.ts'
import type { ConnectorInfo } from '../../../../state.ts'
import { createEip1193 } from '../eip1193.ts'
import { openParent, type Windows } from './askParent.ts'
import { createSafeProvider } from './safeProvider.ts'

/** The Safe that embeds this page as a connector. Its account is a smart account. */
export function openSafe(parameters: {
  app: App
  info: ConnectorInfo
  windows: Windows
  allowedOrigins: readonly string[]
}): Connector {
  const { app, info, windows, allowedOrigins } = parameters
  const { sleep } = app.environment
  const channel = { sleep, signal: app.signal }
  const parent = openParent({ windows, allowedOrigins, ...channel })
  const provider = createSafeProvider({ ...parent, ...channel })
  const connector = createEip1193({ info, provider: () => provider, sleep })
  return {
    ...connector,
    readProposal: provider.readProposal,
    connect: async (question) => toSmartAccount(await connector.connect(question)),
    async authorized(question) {
      const result = await connector.authorized(question)
      return result && toSmartAccount(result)
    },
  }
}

function toSmartAccount(result: ConnectResult): ConnectResult {
  const [first, ...others] = result.accounts
  const type = 'smartAccount'
  return {
    ...result,
    accounts: [{ ...first, type }, ...others.map((each) => ({ ...each, type }) as const)],
  }
}
