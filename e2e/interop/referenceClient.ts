import { randomUUID } from 'node:crypto'
import { SignClient } from '@walletconnect/sign-client'
import type { AuthTypes, SessionTypes, SignClientTypes } from '@walletconnect/types'
import { buildAuthObject, populateAuthPayload } from '@walletconnect/utils'
import { onTestFinished } from 'vitest'
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

type Peer = Awaited<ReturnType<typeof SignClient.init>>

/**
 * Starts the other implementation with separate in-memory storage, without logs and telemetry. It
 * ends with the test, with its timers, which would keep the process alive.
 */
async function createPeer({ relayUrl, name }: Start): Promise<Peer> {
  const peer = await SignClient.init({
    relayUrl,
    projectId: 'local',
    telemetryEnabled: false,
    logger: 'silent',
    customStoragePrefix: randomUUID(),
    storageOptions: { database: ':memory:' },
    metadata: metadataOf(name),
  })
  // Its wallet would send a request about every sender to a fixed host of its vendor.
  peer.core.verify.resolve = () => Promise.reject(new Error('not asked'))
  onTestFinished(() => close(peer))
  return peer
}

// Closing waits for pending requests to the relay, which may be gone, so the test does not wait for
// it.
async function close(peer: Peer) {
  peer.core.heartbeat.stop()
  peer.core.relayer.transportClose().catch(() => {})
}

const hold = ({ topic, namespaces, peer, expiry }: SessionTypes.Struct): HeldSession => ({
  topic,
  namespaces,
  peer: peer.metadata.name,
  expirySeconds: expiry,
})

type ClientEvents = SignClientTypes.EventArguments
const converters: {
  [Name in keyof PartyEvents]: (event: ClientEvents[Name]) => PartyEvents[Name]
} = {
  session_proposal: ({ id, params }) => ({
    id,
    proposer: params.proposer.metadata.name,
    asked: params.optionalNamespaces,
  }),
  session_authenticate: ({ id, params }) => ({
    id,
    requester: params.requester.metadata.name,
    nonce: params.authPayload.nonce,
  }),
  session_request: ({ id, topic, params: { chainId, request } }) => ({
    id,
    topic,
    chainId,
    method: request.method,
    params: request.params,
  }),
  session_request_sent: ({ topic }) => ({ topic }),
  session_event: ({ topic, params: { chainId, event } }) => ({ topic, chainId, ...event }),
  session_update: ({ topic, params }) => ({ topic, namespaces: params.namespaces }),
  session_extend: ({ topic }) => ({ topic }),
  session_ping: ({ topic }) => ({ topic }),
  session_delete: ({ topic }) => ({ topic }),
  proposal_expire: ({ id }) => ({ id }),
}

const party = (peer: Peer): Party => ({
  heard: listen(peer),
  on: (name, listener) => void peer.events.on(name, (event) => listener(converters[name](event))),
  next: (name) =>
    new Promise(
      (resolve) => void peer.events.once(name, (event) => resolve(converters[name](event))),
    ),
  sessions: () => peer.session.getAll().map(hold),
  ping: (topic) => peer.ping({ topic }),
  disconnect: (topic) =>
    peer.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } }),
  close: () => close(peer),
})

function listen(peer: Peer) {
  const heard: string[] = []
  for (const name of spokenNames(converters)) peer.events.on(name, () => heard.push(name))
  return heard
}

/** The other implementation as a dapp. */
export async function createPeerDapp(start: Start): Promise<DappParty> {
  const peer = await createPeer(start)
  return {
    ...party(peer),
    async connect(optionalNamespaces: Proposed = proposed) {
      const { uri = '', approval } = await peer.connect({ optionalNamespaces })
      return { uri, approval: approval().then(hold) }
    },
    async authenticate({ nonce, methods }) {
      const { uri, response } = await peer.authenticate({
        chains: [chainId],
        domain: 'dapp.example',
        uri: 'https://dapp.example/login',
        nonce,
        methods: [...methods],
      })
      return { uri, answer: response().then(signedIn) }
    },
    refusal: (code, message) => ({ code, message }),
    authRefusal: (_, message) => message,
    request: (topic, method, params, chain = chainId) =>
      peer.request({ topic, chainId: chain, request: { method, params } }),
  }
}

const signedIn = ({ auths = [], session }: AuthTypes.AuthenticateResponseResult) => ({
  signers: auths.map(({ p }) => p.iss),
  ...(session && { session: hold(session) }),
})

/** The other implementation as a wallet. */
export async function createPeerWallet(start: Start): Promise<WalletParty> {
  const peer = await createPeer(start)
  const finish = async (call: Promise<{ acknowledged: () => Promise<unknown> }>) =>
    void (await (await call).acknowledged())
  return {
    ...party(peer),
    pair: async (uri) => void (await peer.pair({ uri })),
    approve: async (id, granted: Granted = namespaces) => {
      const { topic } = await peer.approve({ id, namespaces: granted })
      return hold(peer.session.get(topic))
    },
    reject: (id) => peer.reject({ id, reason: { code: 5000, message: 'User rejected.' } }),
    approveAuth: (id, signer = account) => approveAuth(peer, id, signer),
    rejectAuth: (id) =>
      peer.rejectSessionAuthenticate({ id, reason: { code: 12001, message: 'No.' } }),
    respond: (topic, id, answer) =>
      peer.respond({ topic, response: { id, jsonrpc: '2.0', ...answer } }),
    update: (topic, namespaces) =>
      finish(peer.update({ topic, namespaces: namespaces as SessionTypes.Namespaces })),
    extend: (topic) => finish(peer.extend({ topic })),
    emit: (topic, name, data) => peer.emit({ topic, chainId, event: { name, data } }),
  }
}

async function approveAuth(peer: Peer, id: number, signer: typeof account) {
  const { authPayload } = peer.auth.requests.get(id)
  const payload = populateAuthPayload({ authPayload, chains: [chainId], methods })
  const iss = `did:pkh:${chainId}:${account.address}`
  const message = peer.formatAuthMessage({ request: payload, iss })
  const s = await signer.signMessage({ message })
  await peer.approveSessionAuthenticate({
    id,
    auths: [buildAuthObject(payload, { t: 'eip191', s }, iss)],
  })
}
