import type { ViewProps } from '../viewProps.ts'
import { AskWallet } from './AskWallet.tsx'

/** Asks a wallet of this browser and waits for it; closes the modal once it is connected. */
export const ConnectingExternal = ({ view }: ViewProps<'ConnectingExternal'>) => (
  <AskWallet connectorId={view.connectorId} view={view} />
)
