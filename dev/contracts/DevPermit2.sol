// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The allowances of Permit2 without its signatures and transfers, for tests that put it at
/// Permit2's address.
contract DevPermit2 {
    struct Allowed {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    struct TokenSpenderPair {
        address token;
        address spender;
    }

    event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration);
    event Lockdown(address indexed owner, address token, address spender);

    mapping(address => mapping(address => mapping(address => Allowed))) public allowance;

    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        Allowed storage allowed = allowance[msg.sender][token][spender];
        (allowed.amount, allowed.expiration) = (amount, expiration);
        emit Approval(msg.sender, token, spender, amount, expiration);
    }

    function lockdown(TokenSpenderPair[] calldata pairs) external {
        for (uint256 index = 0; index < pairs.length; index++) {
            allowance[msg.sender][pairs[index].token][pairs[index].spender].amount = 0;
            emit Lockdown(msg.sender, pairs[index].token, pairs[index].spender);
        }
    }
}
