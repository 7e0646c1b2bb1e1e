import {
  type ClientParameters,
  type ClientStorage,
  createDapp,
  createWallet,
  type Dapp,
  type DappEvents,
  type Wallet,
  type WalletConnectSession,
  type WalletEvents,
} from '@latchkey/walletconnect'
import { verifyMessage } from 'viem'
import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { account, chainId, methods, namespaces, proposed } from './eip155.ts'
import {
  type DappParty,
  type Granted,
  type HeldSession,
  metadataOf,
  type Party,
  type PartyEvents,
  type Proposed,
  type Start,
  spokenNames,
  type WalletParty,
} from './parties.ts'

/** A storage of one tab. */
export function createMemoryStorage(): ClientStorage {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
    keys: () => [...values.keys()],
    subscribe: () => () => {},
  }
}

const parametersOf = ({ relayUrl, name, now = Date.now, storage = createMemoryStorage() }: Start) =>
  ({
    relayUrl,
    projectId: 'local',
    metadata: metadataOf(name),
    storage,
    now,
    WebSocket: WebSocket as unknown as typeof globalThis.WebSocket,
  }) satisfies ClientParameters

const hold = ({ topic, namespaces, peer, expirySeconds }: WalletConnectSession): HeldSession => ({
  topic,
  namespaces,
  peer: peer.name,
  expirySeconds,
})

type ClientEvents = DappEvents & WalletEvents
const converters: {
  [Name in keyof PartyEvents]: (event: ClientEvents[Name]) => PartyEvents[Name]
} = {
  session_proposal: ({ proposal: { id, proposer, optionalNamespaces } }) => ({
    id,
    proposer: proposer.name,
    asked: optionalNamespaces,
  }),
  session_authenticate: ({ request: { id, requester, authPayload } }) => ({
    id,
    requester: requester.name,
    nonce: authPayload.nonce,
  }),
  session_request: ({ request: { id, topic, chainId, method, params } }) => ({
    id,
    topic,
    chainId,
    method,
    params,
  }),
  session_request_sent: ({ topic }) => ({ topic }),
  session_event: (event) => event,
  session_update: (event) => event,
  session_extend: ({ topic }) => ({ topic }),
  session_ping: ({ topic }) => ({ topic }),
  session_delete: ({ topic }) => ({ topic }),
  proposal_expire: ({ id }) => ({ id }),
}

const party = (client: Dapp | Wallet): Party => ({
  heard: listen(client),
  on: (name, listener) =>
    void (client as Dapp & Wallet).on(name as never, (event) =>
      listener(converters[name](event as never)),
    ),
  next: (name) =>
    new Promise((resolve) => {
      const off = (client as Dapp & Wallet).on(name as never, (event) => {
        off()
        resolve(converters[name](event as never))
      })
    }),
  sessions: () => client.sessions().map(hold),
  ping: (topic) => client.ping(topic),
  disconnect: (topic) => client.disconnect(topic),
  close: async () => client.close(),
})

function listen(client: Dapp | Wallet) {
  const heard: string[] = []
  for (const name of spokenNames(converters))
    (client as Dapp & Wallet).on(name as never, () => heard.push(name))
  return heard
}

/** Our dapp. */
export async function createOurDapp(start: Start): Promise<DappParty> {
  const dapp = await createDapp(parametersOf(start))
  onTestFinished(() => dapp.close())
  return {
    ...party(dapp),
    async connect(optionalNamespaces: Proposed = proposed) {
      const { uri, approval } = await dapp.connect({ optionalNamespaces })
      return { uri, approval: approval.then(hold) }
    },
    async authenticate({ nonce, methods }) {
      const { uri, answer } = await dapp.authenticate({
        payload: {
          chains: [chainId],
          domain: 'dapp.example',
          aud: 'https://dapp.example/login',
          nonce,
        },
        methods,
        optionalNamespaces: proposed,
        verify: ({ message, signature }) =>
          verifyMessage({
            address: account.address,
            message,
            signature: signature as `0x${string}`,
          }),
      })
      return {
        uri,
        answer: answer.then(({ cacaos, session }) => ({
          signers: cacaos.map(({ p }) => p.iss),
          ...(session && { session: hold(session) }),
        })),
      }
    },
    refusal: (code, message) =>
      code === 6000 ? { code: 'USER_DISCONNECTED' } : { message, cause: { code, message } },
    authRefusal: (code, message) =>
      expect.objectContaining({ message, cause: expect.objectContaining({ code, message }) }),
    request: (topic, method, params, chain = chainId) =>
      dapp.request({ topic, chainId: chain, method, params }),
  }
}

/** Our wallet. */
export async function createOurWallet(start: Start): Promise<WalletParty> {
  const wallet = await createWallet(parametersOf(start))
  onTestFinished(() => wallet.close())
  return {
    ...party(wallet),
    pair: (uri) => wallet.pair(uri),
    approve: async (id, granted: Granted = namespaces) =>
      hold(await wallet.approve(id, { namespaces: granted })),
    reject: (id) => wallet.reject(id),
    async approveAuth(id, signer = account) {
      const { message, payload } = wallet.formatAuthMessage(id, {
        account: `${chainId}:${account.address}`,
        chains: [chainId],
        methods,
      })
      const s = await signer.signMessage({ message })
      await wallet.approveAuthenticate(id, [
        { h: { t: 'caip122' }, p: payload, s: { t: 'eip191', s } },
      ])
    },
    rejectAuth: (id) => wallet.rejectAuthenticate(id, { code: 12001, message: 'No.' }),
    respond: (topic, id, answer) => wallet.respond(topic, id, answer),
    update: (topic, namespaces) => wallet.update(topic, namespaces),
    extend: (topic) => wallet.extend(topic),
    emit: (topic, name, data) => wallet.emit(topic, { chainId, name, data }),
  }
}
