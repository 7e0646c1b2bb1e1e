import * as Headless from '@headlessui/react'
import MuiDialog from '@mui/material/Dialog'
import * as RadixDialog from '@radix-ui/react-dialog'
import * as RadixMenu from '@radix-ui/react-dropdown-menu'
import BootstrapModal from 'bootstrap/js/dist/modal'
import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'

const Contents = ({ onPay }) => (
  <>
    <input aria-label="Field of the page" />
    <button type="button" onClick={onPay}>
      Pay
    </button>
  </>
)

const Radix = ({ onPay }) => (
  <RadixDialog.Root defaultOpen>
    <RadixDialog.Portal>
      <RadixDialog.Overlay />
      <RadixDialog.Content aria-describedby={undefined}>
        <RadixDialog.Title>Checkout</RadixDialog.Title>
        <Contents onPay={onPay} />
      </RadixDialog.Content>
    </RadixDialog.Portal>
  </RadixDialog.Root>
)

const Menu = ({ onPay }) => {
  const payAndStay = (event) => {
    event.preventDefault()
    onPay()
  }
  return (
    <RadixMenu.Root defaultOpen>
      <RadixMenu.Trigger>Menu</RadixMenu.Trigger>
      <RadixMenu.Portal>
        <RadixMenu.Content>
          <RadixMenu.Item asChild onSelect={payAndStay}>
            <button type="button">Pay</button>
          </RadixMenu.Item>
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  )
}

const Mui = ({ onPay }) => (
  <MuiDialog open aria-label="Checkout" transitionDuration={0}>
    <Contents onPay={onPay} />
  </MuiDialog>
)

const HeadlessUi = ({ onPay }) => (
  <Headless.Dialog open onClose={() => {}}>
    <Headless.DialogPanel>
      <Headless.DialogTitle>Checkout</Headless.DialogTitle>
      <Contents onPay={onPay} />
    </Headless.DialogPanel>
  </Headless.Dialog>
)

const Bootstrap = ({ onPay }) => {
  const element = useRef(null)
  useEffect(() => {
    const modal = new BootstrapModal(element.current)
    modal.show()
    return () => {
      modal.dispose()
      // Only `hide` does that, at the end of its animation.
      document.body.removeAttribute('style')
      document.body.classList.remove('modal-open')
    }
  }, [])
  return createPortal(
    <div ref={element} className="modal" tabIndex={-1} aria-label="Checkout" role="dialog">
      <div className="modal-dialog modal-content">
        <Contents onPay={onPay} />
      </div>
    </div>,
    document.body,
  )
}

const InertSiblings = ({ onPay }) => {
  const element = useRef(null)
  useEffect(() => {
    const others = [...document.body.children].filter((one) => one !== element.current)
    for (const one of others) one.inert = true
    return () => {
      for (const one of others) one.inert = false
    }
  }, [])
  return createPortal(
    <div ref={element} role="dialog" aria-label="Checkout">
      <Contents onPay={onPay} />
    </div>,
    document.body,
  )
}

export const pages = {
  'Radix UI, a dialog': Radix,
  'Radix UI, a menu': Menu,
  MUI: Mui,
  'Headless UI': HeadlessUi,
  Bootstrap,
  'inert siblings': InertSiblings,
}
