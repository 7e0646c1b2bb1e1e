import { getCapabilities, type Network } from '@latchkey/core'
import {
  ConnectButton,
  isLatchkeyError,
  useAccount,
  useApp,
  useFeatures,
  useModal,
  useNetwork,
  useSwitchNetwork,
} from '@latchkey/react'
import { text } from '../locales/text.ts'
import type { PayLink } from './parsePayLink.ts'

/**
 * The way to pay: connects an account, or fills in the send form. A press changes the network if
 * necessary, and nothing is sent.
 */
export function PayActions({ link, network }: { link: PayLink; network: Network }) {
  const { caipNetworkId: chainId, chainNamespace: namespace, name } = network
  const { network: selected } = useNetwork()
  const { isConnected } = useAccount({ namespace })
  const { data: areas } = useFeatures({ chainId })
  const { send: canSend } = getCapabilities(useApp(), { chainId, areas })
  const { open } = useModal()
  const { switchNetworkAsync, isPending, error } = useSwitchNetwork()
  const isElsewhere = selected.caipNetworkId !== chainId
  const change = async () => {
    if (isElsewhere) await switchNetworkAsync({ chainId })
  }
  const review = () => {
    if (isPending) return
    // A failure is shown below.
    change().then(
      () => open({ name: 'Send', draft: toDraft(link, network) }),
      () => {},
    )
  }
  if (!canSend)
    return (
      <p className="notice" role="status">
        {text('pay.cannotSend', { network: name })}
      </p>
    )
  if (!isConnected && selected.chainNamespace === namespace)
    return <ConnectButton label={text('pay.connect')} />
  return (
    <>
      <button
        type="button"
        className="button"
        data-look="main"
        aria-haspopup={isConnected ? 'dialog' : undefined}
        aria-disabled={isPending || undefined}
        aria-busy={isPending || undefined}
        onClick={isConnected ? review : () => void change().catch(() => {})}
      >
        {isPending
          ? text('pay.changing', { network: name })
          : isConnected
            ? text('pay.review')
            : text('pay.change', { network: name })}
      </button>
      {isElsewhere && error && !isLatchkeyError(error, 'ABORTED') && (
        <p className="problem small" role="alert">
          {text(isLatchkeyError(error, 'USER_REJECTED') ? 'pay.declined' : 'pay.changeFailed', {
            network: name,
          })}
        </p>
      )}
    </>
  )
}

/** The send form as the link fills it in. The form finds the address of a name itself. */
const toDraft = ({ to, isName, amount, asset }: PayLink, { caipNetworkId }: Network) => ({
  token: asset?.address === undefined ? 'native' : `${caipNetworkId}:${asset.address}`,
  amount: amount ?? '',
  receiverAddress: isName ? '' : to,
  ...(isName && { receiverProfileName: to }),
})
