// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The parts of Farcaster's IdRegistry and KeyRegistry that a sign-in reads, in one contract. Only
/// its creator writes entries.
contract DevFarcaster {
    struct KeyData { uint8 state; uint32 keyType; }

    address private immutable _maker = msg.sender;
    mapping(address owner => uint256 fid) public idOf;
    mapping(uint256 fid => mapping(bytes key => KeyData)) private _keys;

    modifier onlyMaker() {
        require(msg.sender == _maker, "not the maker");
        _;
    }

    function register(address owner, uint256 fid) external onlyMaker {
        idOf[owner] = fid;
    }

    function setKey(uint256 fid, bytes calldata key, uint8 state, uint32 keyType) external onlyMaker {
        _keys[fid][key] = KeyData(state, keyType);
    }

    function keyDataOf(uint256 fid, bytes calldata key) external view returns (KeyData memory) {
        return _keys[fid][key];
    }
}
