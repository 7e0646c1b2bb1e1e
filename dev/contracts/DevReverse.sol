// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IRegistry {
    function setSubnodeRecord(bytes32 node, bytes32 label, address to, address resolver) external returns (bytes32);
}

interface INames {
    function setName(bytes32 node, string calldata to) external;
}

/// The reverse registrar (ERC-181): an account sets its primary name. Owns `addr.reverse`.
contract DevReverse {
    bytes32 private constant reverseNode = 0x91d1777781884d03a6757a803996e38de2a42967fb37eeaca72729271025a9e2;
    IRegistry private immutable _registry;
    INames private immutable _resolver;
    address private immutable _maker = msg.sender;

    constructor(IRegistry registry, INames resolver) {
        _registry = registry;
        _resolver = resolver;
    }

    function setName(string calldata to) external returns (bytes32) {
        return _setName(msg.sender, to);
    }

    /// Its creator may set the name of any account, because this is a development chain.
    function setNameFor(address account, string calldata to) external returns (bytes32) {
        require(msg.sender == _maker || msg.sender == account, "not authorised");
        return _setName(account, to);
    }

    /// `account` may write to its own node afterwards; its name is written first.
    function _setName(address account, string calldata to) private returns (bytes32 node) {
        bytes32 label = _label(account);
        node = _registry.setSubnodeRecord(reverseNode, label, address(this), address(_resolver));
        _resolver.setName(node, to);
        _registry.setSubnodeRecord(reverseNode, label, account, address(_resolver));
    }

    function _label(address account) private pure returns (bytes32) {
        bytes memory hexits = "0123456789abcdef";
        bytes memory text = new bytes(40);
        for (uint256 i = 0; i < 20; i++) {
            uint8 byteAt = uint8(bytes20(account)[i]);
            text[2 * i] = hexits[byteAt >> 4];
            text[2 * i + 1] = hexits[byteAt & 15];
        }
        return keccak256(text);
    }
}
