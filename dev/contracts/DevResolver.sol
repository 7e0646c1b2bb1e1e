// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IOwners {
    function owner(bytes32 node) external view returns (address);
}

/// A resolver for development chains: addresses (ERC-137, ERC-2304), text records (ERC-634) and
/// names (ERC-181). The node's owner in the registry and the resolver's creator may write.
contract DevResolver {
    IOwners private immutable _registry;
    address private immutable _maker = msg.sender;

    mapping(bytes32 node => mapping(uint256 coinType => bytes)) private _addresses;
    mapping(bytes32 node => mapping(string key => string)) private _texts;
    mapping(bytes32 node => string) private _names;

    event AddrChanged(bytes32 indexed node, address a);
    event AddressChanged(bytes32 indexed node, uint256 coinType, bytes newAddress);
    event TextChanged(bytes32 indexed node, string indexed indexedKey, string key, string value);
    event NameChanged(bytes32 indexed node, string name);

    modifier authorised(bytes32 node) {
        require(msg.sender == _maker || msg.sender == _registry.owner(node), "not authorised");
        _;
    }

    constructor(IOwners registry) {
        _registry = registry;
    }

    function addr(bytes32 node) external view returns (address) {
        return address(bytes20(_addresses[node][60]));
    }

    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory) {
        return _addresses[node][coinType];
    }

    function text(bytes32 node, string calldata key) external view returns (string memory) {
        return _texts[node][key];
    }

    function name(bytes32 node) external view returns (string memory) {
        return _names[node];
    }

    function setAddr(bytes32 node, address a) external {
        setAddr(node, 60, abi.encodePacked(a));
        emit AddrChanged(node, a);
    }

    function setAddr(bytes32 node, uint256 coinType, bytes memory a) public authorised(node) {
        _addresses[node][coinType] = a;
        emit AddressChanged(node, coinType, a);
    }

    function setText(bytes32 node, string calldata key, string calldata value) external authorised(node) {
        _texts[node][key] = value;
        emit TextChanged(node, key, key, value);
    }

    function setName(bytes32 node, string calldata to) external authorised(node) {
        _names[node] = to;
        emit NameChanged(node, to);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        // ERC-165, addr, addr with a coin type, text, name.
        return id == 0x01ffc9a7 || id == 0x3b3b57de || id == 0xf1cb7e06 || id == 0x59d1d43c || id == 0x691f3431;
    }
}
