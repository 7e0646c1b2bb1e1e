// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

/// Never deployed. The server lets a node run this code in place of a pool's and of a stranger's
/// code, in a call that changes nothing, to check whether as much of a token arrives as was sent,
/// in both directions.
contract TransferProbe {
    /// The part of `amount` that arrived at `stranger`, and the part of this that came back.
    function probe(address token, address stranger, uint256 amount) external returns (uint256 received, uint256 returned) {
        uint256 held = IToken(token).balanceOf(stranger);
        _transfer(token, stranger, amount);
        received = IToken(token).balanceOf(stranger) - held;
        held = IToken(token).balanceOf(address(this));
        TransferProbe(stranger).give(token, address(this), received);
        returned = IToken(token).balanceOf(address(this)) - held;
    }

    function give(address token, address to, uint256 amount) external {
        _transfer(token, to, amount);
    }

    function _transfer(address token, address to, uint256 amount) private {
        (bool success,) = token.call(abi.encodeCall(IToken.transfer, (to, amount)));
        require(success, "transfer");
    }
}
