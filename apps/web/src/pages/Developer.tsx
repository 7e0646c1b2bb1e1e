import { getCapabilities } from '@latchkey/core'
import { useAccount, useApp, useNetwork } from '@latchkey/react'
import { Areas } from '../developer/Areas.tsx'
import { RawRequest } from '../developer/RawRequest.tsx'
import { SendNative, SendToken } from '../developer/SendForms.tsx'
import { Session } from '../developer/Session.tsx'
import { SignMessage } from '../developer/SignMessage.tsx'
import { SignTypedData } from '../developer/SignTypedData.tsx'
import { StateView } from '../developer/StateView.tsx'
import { SwitchNetwork } from '../developer/SwitchNetwork.tsx'
import { text } from '../locales/text.ts'

/** Every call of the wallet, with its result. */
export function Developer() {
  const app = useApp()
  const { isConnected } = useAccount()
  const { caipNetworkId: chainId } = useNetwork().network
  const can = getCapabilities(app, { chainId })
  return (
    <>
      <header className="pageHead">
        <h1>{text('dev.title')}</h1>
        <p className="quiet">{text(isConnected ? 'dev.text' : 'dev.connectFirst')}</p>
      </header>
      <div className="calls">
        {isConnected && (
          <div>
            {app.config.siwx && <Session />}
            {can.signMessage && <SignMessage />}
            {can.signTypedData && <SignTypedData />}
            <SwitchNetwork />
          </div>
        )}
        <div>
          {isConnected && can.send && <SendNative />}
          {isConnected && can.send && <SendToken />}
          {isConnected && <RawRequest />}
          <StateView />
        </div>
      </div>
      <Areas />
    </>
  )
}
