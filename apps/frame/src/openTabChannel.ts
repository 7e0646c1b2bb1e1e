type TabChannel = Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'>

/**
 * Opens a channel to the other frames of this browser. Without `BroadcastChannel` (Safari before
 * 15.4) messages reach no other frame, and each frame notices changes when it polls the server.
 */
export const openTabChannel = (name: string): TabChannel =>
  typeof BroadcastChannel === 'function'
    ? new BroadcastChannel(name)
    : { onmessage: null, postMessage() {}, close() {} }
