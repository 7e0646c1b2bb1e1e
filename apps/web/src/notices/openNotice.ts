import {
  type App,
  type Connected,
  isConnected,
  isSameAddress,
  openModal,
  switchConnection,
  switchNetwork,
} from '@latchkey/core'
import { getLatestActivity } from '@latchkey/react'
import { parseChainId } from '@latchkey/wire'
import { type NoticeSubject, parseNoticeLink } from './noticeLink.ts'
import { readNotices } from './noticesState.ts'

/**
 * Opens what a pressed notice is about: puts its account in use, selects its network and shows its
 * transaction. Does nothing for what this browser has not reported, because anyone can make a link.
 * Does nothing while the modal is open, because the user's work there would be lost.
 */
export async function openNotice(app: App, query: string): Promise<void> {
  // A reload of a page that the notice has opened is not another press.
  if (location.search) history.replaceState(history.state, '', location.pathname)
  const subject = parseNoticeLink(query)
  if (!subject || !wasReported(subject) || app.store.getState().modal.open) return
  const connection = findConnection(app, subject)
  if (!connection) return
  const { connectorId, account } = connection
  await switchConnection(app, { connectorId, namespace: account.namespace })
  // The wallet may wait for the user, and may refuse. The transaction is shown anyway.
  void switchNetwork(app, { chainId: subject.chainId }).catch(() => {})
  if (subject.isOne) await showTransaction(app, { ...subject, connection })
}

function wasReported({ chainId, address, transactionId }: NoticeSubject): boolean {
  const { accounts = {}, allowancesOf } = readNotices() ?? {}
  if (transactionId === undefined) return allowancesOf === `${chainId}:${address}`
  return Object.values(accounts).some(({ seen }) => seen.includes(transactionId))
}

/** The connection with the subject's account; a connection in use comes before others. */
function findConnection(
  { store }: App,
  { chainId, address }: NoticeSubject,
): Connected | undefined {
  const { connections, furtherConnections, networks } = store.getState()
  if (!networks.some(({ caipNetworkId }) => caipNetworkId === chainId)) return undefined
  const { namespace } = parseChainId(chainId)
  const all = [connections[namespace], ...furtherConnections]
  return all
    .filter(isConnected)
    .find(
      ({ account }) =>
        account.namespace === namespace &&
        isSameAddress({ namespace, one: account.address, other: address }),
    )
}

async function showTransaction(
  app: App,
  {
    chainId,
    transactionId,
    connection: {
      account: { namespace, address },
    },
  }: NoticeSubject & { connection: Connected },
) {
  const chainIds = [chainId]
  const account = { key: `${chainId}:${address}`, namespace, address, chainIds }
  const transactions = await getLatestActivity(app, account)
  const transaction = transactions.find(({ id }) => id === transactionId)
  if (!transaction || app.store.getState().modal.open) return
  openModal(app, { view: { name: 'ActivityDetail', transaction } })
}
